package host

import (
	"context"
	"encoding/json"
	"fmt"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"github.com/hantei/hantei/server/store"
)

// meta is what the store keeps of a table beside its log, in store.Table.Options:
// what is told of tables without loading them.
type meta struct {
	// Options are those that were set.
	Options []option `json:"options,omitempty"`
	// FixedDice is the label of dice that are not random; empty for real ones.
	FixedDice string `json:"fixed_dice,omitempty"`
	// WindowKey is what the ids of windows are made with, at a table that came
	// from a file; empty for the table's own.
	WindowKey []byte `json:"window_key,omitempty"`
	// Seeds are those of the secret dice of epochs that had ended at a table that
	// came from a file.
	Seeds []pastSeed `json:"seeds,omitempty"`
}

type pastSeed struct {
	Epoch int32  `json:"epoch"`
	Seed  []byte `json:"seed"`
}

type option struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

func newMeta(set []*tablev1.Option, fixed *FixedDice) meta {
	var m meta
	m.setOptions(set)
	if fixed != nil {
		m.FixedDice = fixed.Label
	}
	return m
}

// pastSeeds are the seeds by epoch.
func (m meta) pastSeeds() (map[int32][32]byte, error) {
	out := make(map[int32][32]byte, len(m.Seeds))
	for _, s := range m.Seeds {
		if len(s.Seed) != secretBytes {
			return nil, fmt.Errorf("host: the seed of epoch %d has %d bytes", s.Epoch, len(s.Seed))
		}
		out[s.Epoch] = [32]byte(s.Seed)
	}
	return out, nil
}

// windowKey is what the ids of the table's windows are made with.
func (m meta) windowKey(k *keys, table string) []byte {
	if len(m.WindowKey) > 0 {
		return m.WindowKey
	}
	return k.windowKey(table)
}

// kept is what the store keeps of the table beside its log.
func (t *table) kept(ctx context.Context) (store.Table, meta, error) {
	row, err := t.host.store.Table(ctx, t.id)
	if err != nil {
		return store.Table{}, meta{}, err
	}
	m, err := readMeta(row.Options)
	return row, m, err
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

func (m *meta) setOptions(set []*tablev1.Option) {
	m.Options = nil
	for _, o := range set {
		m.Options = append(m.Options, option{o.Key, o.Value})
	}
}

func (m meta) set() []*tablev1.Option {
	var out []*tablev1.Option
	for _, o := range m.Options {
		out = append(out, &tablev1.Option{Key: o.Key, Value: o.Value})
	}
	return out
}
