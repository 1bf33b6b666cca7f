package dungeon

import (
	"slices"

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

// MoonOf is the phase of the moon that a word names; unspecified for any other word.
func MoonOf(word string) personav1.Moon { return personav1.Moon(max(0, slices.Index(moonWords, word))) }

// WeatherOf is the kind of weather that a word names; unspecified for any other word.
func WeatherOf(word string) personav1.Weather {
	return personav1.Weather(max(0, slices.Index(weatherWords, word)))
}
