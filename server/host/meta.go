package host

import (
	"encoding/json"
	"fmt"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// meta is what the store keeps of a table beside its log, in store.Table.Options:
// what is told of tables without loading them.
type meta struct {
	// Options are those that were set.
	Options []option `json:"options,omitempty"`
	// FixedDice is the label of dice that are not random; empty for real ones.
	FixedDice string `json:"fixed_dice,omitempty"`
}

type option struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

func newMeta(set []*tablev1.Option, fixed *FixedDice) meta {
	var m meta
	for _, o := range set {
		m.Options = append(m.Options, option{o.Key, o.Value})
	}
	if fixed != nil {
		m.FixedDice = fixed.Label
	}
	return m
}

func (m meta) bytes() ([]byte, error) { return json.Marshal(m) }

func readMeta(b []byte) (meta, error) {
	var m meta
	if len(b) == 0 {
		return m, nil
	}
	if err := json.Unmarshal(b, &m); err != nil {
		return m, fmt.Errorf("host: options of a table: %w", err)
	}
	return m, nil
}

func (m meta) set() []*tablev1.Option {
	var out []*tablev1.Option
	for _, o := range m.Options {
		out = append(out, &tablev1.Option{Key: o.Key, Value: o.Value})
	}
	return out
}
