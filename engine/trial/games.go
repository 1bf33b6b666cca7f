package trial

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Rounds of games are played, each led to what those before have not used, until all
// was; no more than so many.
const (
	rounds   = 10
	commands = 70
)

// Games plays random games, many of them at a time, on resolvers that must agree, and
// until everything was used; see the package. once is how many games a round has.
// If everything is false one round is enough, and the rest is left unused.
func Games(t *testing.T, s *Setup, once int, everything bool) {
	if *games > 0 {
		once = *games
	}
	all, err := s.all()
	if err != nil {
		t.Fatal(err)
	}
	led := split(*wanted)
	total := newUsed(s, nil)
	for round := range uint64(rounds) {
		for _, u := range s.round(t, *first+round*uint64(once), once, led) {
			total.add(u, all)
		}
		if t.Failed() || *games > 0 || !everything {
			return
		}
		if led = s.missing(total.unused(all)); len(led) == 0 {
			break
		}
		t.Logf("led to %v", led)
	}
	for _, what := range led {
		t.Errorf("no game has used the %s", what)
	}
	for _, e := range s.Unused {
		switch {
		case !slices.Contains(all, e.What):
			t.Errorf("%s is said not to be used, and there is none", e.What)
		case !slices.Contains(total.unused(all), e.What):
			t.Errorf("%s is said not to be used (%s), and was", e.What, e.Why)
		default:
			t.Logf("not used: %s: %s", e.What, e.Why)
		}
	}
	if testing.Verbose() {
		for _, what := range all {
			if !strings.HasPrefix(what, "row ") {
				t.Logf("%6d %s", total.times[what], what)
			}
		}
	}
}

// missing is what is not used and should be.
func (s *Setup) missing(unused []string) []string {
	return slices.DeleteFunc(unused, func(what string) bool { return s.Unused.has(what) })
}

// round plays games from a seed on.
func (s *Setup) round(t *testing.T, from uint64, once int, led []string) []*used {
	out := make([]*used, once)
	t.Run("play", func(t *testing.T) {
		for i := range out {
			seed := from + uint64(i)
			out[i] = newUsed(s, nil)
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel() // tables share a ruleset, and nothing else
				g := newGame(t, s, seed, led, &reloaded{}, &folded{}, &repeated{})
				g.play(cmp.Or(s.Commands, commands))
				g.end()
				out[i] = g.used
			})
		}
	})
	return out
}

func split(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, ",")
}
