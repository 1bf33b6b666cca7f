package rule

import (
	"slices"
	"strconv"
	"strings"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// Option declares a table switch.
type Option struct {
	// Key is its name.
	Key string
	// Default is its value unless set.
	Default string
	// Values are the words that it takes; empty for a whole number from Min to Max.
	Values []string
	// Min and Max bound a number.
	Min, Max int32
	// Rule is the rule that it changes; empty for the core's.
	Rule string
}

// Options are the switches of a ruleset with those of the core, sorted by key.
type Options struct{ all []Option }

// Paused is the switch that stops play: nothing is declared or answered, but for
// the GM's levers.
const Paused = "paused"

// DeadlineGM and DeadlinePlayer are how long a prompt that a step waits for is open
// to the GM, or to a player, before its default is taken: seconds, 0 for ever.
const (
	DeadlineGM     = "deadline_gm"
	DeadlinePlayer = "deadline_player"
	maxDeadline    = 7 * 24 * 60 * 60
)

// sight are the switches that decide on who sees what of sheets (package view).
var sight = []string{"npc_dice", "npc_hp", "npc_values", "party_sheets"}

// DecidesOnSight reports whether a switch decides on who sees what of sheets.
func DecidesOnSight(key string) bool { return slices.Contains(sight, key) }

// coreOptions are the switches of every table.
var coreOptions = []Option{
	{Key: DeadlineGM, Default: "0", Max: maxDeadline},
	{Key: DeadlinePlayer, Default: "0", Max: maxDeadline},
	{Key: "given_dice", Default: "off", Values: []string{"off", "gm", "all"}},
	{Key: "npc_dice", Default: "shown", Values: []string{"shown", "hidden"}},
	{Key: "npc_hp", Default: "band", Values: []string{"exact", "band", "none"}},
	{Key: "npc_values", Default: "hidden", Values: []string{"shown", "hidden"}},
	{Key: "party_sheets", Default: "shown", Values: []string{"shown", "hidden"}},
	{Key: Paused, Default: "false", Values: OnOff},
	{Key: "window_policy", Default: "honest", Values: []string{"honest", "always_ask"}},
}

// OnOff are the values of a switch that is true or false.
var OnOff = []string{"true", "false"}

// NewOptions joins a ruleset's switches with those of the core.
func NewOptions(own []Option) *Options {
	all := append(slices.Clone(coreOptions), own...)
	slices.SortFunc(all, func(a, b Option) int { return strings.Compare(a.Key, b.Key) })
	return &Options{all: all}
}

// All lists the switches, sorted by key.
func (o *Options) All() []Option { return o.all }

// Value returns the value of a switch among those that were set, or its
// default. It panics on an undeclared switch.
func (o *Options) Value(set []*tablev1.Option, key string) string {
	for _, s := range set {
		if s.Key == key {
			return s.Value
		}
	}
	d, ok := o.find(key)
	if !ok {
		panic("rule: undeclared option " + key)
	}
	return d.Default
}

// Check says what is wrong with a switch that somebody wants to set, or returns nil.
func (o *Options) Check(key, value string) *Refusal {
	d, ok := o.find(key)
	if !ok {
		names := make([]string, len(o.all))
		for i, d := range o.all {
			names[i] = d.Key
		}
		return Core(invalidField, "options.key").Say("no_option", Sent("sent", key)).Suggest(key, names)
	}
	if len(d.Values) > 0 {
		if !slices.Contains(d.Values, value) {
			return Core(invalidField, "options.value").Say("option_words", WordOf("option", key), Names("names", d.Values...), Sent("sent", value)).Suggest(value, d.Values)
		}
		return nil
	}
	n, err := strconv.ParseInt(value, 10, 32)
	if err != nil || int32(n) < d.Min || int32(n) > d.Max || strconv.FormatInt(n, 10) != value {
		return Core(invalidField, "options.value").
			Say("option_number", WordOf("option", key), Number("min", d.Min), Number("max", d.Max), Sent("sent", value))
	}
	return nil
}

// InForce lists every switch with its value, sorted by key.
func (o *Options) InForce(set []*tablev1.Option) []*tablev1.Option {
	out := make([]*tablev1.Option, len(o.all))
	for i, d := range o.all {
		out[i] = &tablev1.Option{Key: d.Key, Value: o.Value(set, d.Key)}
	}
	return out
}

func (o *Options) find(key string) (Option, bool) {
	i, ok := slices.BinarySearchFunc(o.all, key, func(d Option, k string) int { return strings.Compare(d.Key, k) })
	if !ok {
		return Option{}, false
	}
	return o.all[i], true
}
