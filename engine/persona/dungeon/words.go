package dungeon

import (
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
)

// The words of the text form, in the order of the enums; the first is none.
var (
	moonWords       = []string{"", "new", "1/8", "2/8", "3/8", "half", "5/8", "6/8", "7/8", "full"}
	weatherWords    = []string{"", "clear", "sunny", "cloudy", "rain", "thunderstorm"}
	visibilityWords = []string{"", "known", "open", "hidden"}
	kindWords       = []string{"stairs", "warp", "item", "enemy", "trap", "event"}
	headWords       = []string{"level", "moon", "weather", "floor"}
)

// MoonWord is the word of a phase of the moon, as tables and options have it.
func MoonWord(m personav1.Moon) string { return word(moonWords, int(m)) }

// WeatherWord is the word of a kind of weather.
func WeatherWord(w personav1.Weather) string { return word(weatherWords, int(w)) }

func word(words []string, i int) string {
	if i < 0 || i >= len(words) {
		return ""
	}
	return words[i]
}
