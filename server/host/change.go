package host

import (
	"context"
	"slices"
	"strconv"

	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"github.com/hantei/hantei/server/store"
)

// Update is what is to change of a table; what is nil stays.
type Update struct {
	// Name is the new name.
	Name *string
	// Options are to be set.
	Options []*tablev1.Option
	// Paused stops play, or lets it go on. It is an option like any other: who
	// watches is told, and the log, a file of the table and a server that starts
	// anew know of it, without a second place for it.
	Paused *bool
}

// UpdateTable changes a table. The GM may; the admin changes only the name. What
// has its value already changes nothing.
func (h *Host) UpdateTable(ctx context.Context, by Caller, u Update) (Table, error) {
	if u.Paused != nil {
		set := &tablev1.Option{Key: rule.Paused, Value: strconv.FormatBool(*u.Paused)}
		u.Options = append(slices.Clone(u.Options), set)
	}
	return ask(ctx, h, by.Table, func(t *table) (Table, error) { return t.update(context.WithoutCancel(ctx), by, u) })
}

func (t *table) update(ctx context.Context, by Caller, u Update) (Table, error) {
	s, refusal := t.mayUpdate(by, u)
	if refusal != nil {
		return Table{}, refusal
	}
	row, err := t.host.store.Table(ctx, t.id)
	if err != nil {
		return Table{}, err
	}
	var change store.TableUpdate
	if u.Name != nil && *u.Name != row.Name {
		change.Name, row.Name = u.Name, *u.Name
	}
	set := t.differing(u.Options)
	if len(set) == 0 {
		if change.Name != nil {
			if err := t.host.store.UpdateTable(ctx, t.id, change); err != nil {
				return Table{}, err
			}
		}
		return t.host.tableOf(row)
	}
	m, err := readMeta(row.Options)
	if err != nil {
		return Table{}, err
	}
	c, err := t.res.SetOptions(t.env(ctx, s, nil), set)
	if err != nil {
		return Table{}, err
	}
	t.ahead = true
	m.setOptions(t.res.State().Options)
	if change.Options, err = m.bytes(); err != nil {
		return Table{}, err
	}
	if _, err := t.conclude(ctx, c, conclusion{by: by, table: change}); err != nil {
		return Table{}, err
	}
	row.Options = change.Options
	return t.host.tableOf(row)
}

// mayUpdate finds the caller's seat, nil for the admin, or refuses.
func (t *table) mayUpdate(by Caller, u Update) (s *sitting, refusal *rule.Refusal) {
	switch {
	case by.Admin && len(u.Options) > 0:
		return nil, notYours("options").Say("gm_sets_options")
	case !by.Admin:
		if s, refusal = t.sit(by); refusal != nil {
			return nil, refusal
		}
		if !s.gm() {
			return nil, notYours("").Say("gm_only")
		}
	}
	if by.Via != "" {
		// Options decide on who may know what, so they are not for bridges: pausing is
		// play.
		if u.Name != nil {
			return nil, notForBridges("name")
		}
		if slices.ContainsFunc(u.Options, func(o *tablev1.Option) bool { return o.GetKey() != rule.Paused }) {
			return nil, notForBridges("options")
		}
	}
	if u.Name == nil && len(u.Options) == 0 {
		return nil, invalid("name").Say("oneof", rule.Code("names", "name", "options", "paused"))
	}
	if u.Name != nil {
		if refusal := checkName("name", *u.Name); refusal != nil {
			return nil, refusal
		}
	}
	return s, checkOptions(t.game.Rules.Options, u.Options)
}

// differing are the options that have another value now.
func (t *table) differing(all []*tablev1.Option) []*tablev1.Option {
	now := t.res.State().Options
	return slices.DeleteFunc(slices.Clone(all), func(o *tablev1.Option) bool {
		return t.game.Rules.Options.Value(now, o.Key) == o.Value
	})
}

// checkOptions refuses options that cannot be set together.
func checkOptions(known *rule.Options, all []*tablev1.Option) *rule.Refusal {
	for i, o := range all {
		if refusal := known.Check(o.GetKey(), o.GetValue()); refusal != nil {
			return refusal
		}
		if slices.ContainsFunc(all[:i], func(e *tablev1.Option) bool { return e.Key == o.Key }) {
			return invalid("options.key").Say("stands_twice", rule.WordOf("what", o.Key))
		}
	}
	return nil
}

// DeleteTable removes a table and everything of it. The admin may, also when the
// table cannot be loaded any more.
func (h *Host) DeleteTable(ctx context.Context, by Caller) error {
	if !by.Admin {
		return &Refused{Refusal: notYours("").Say("admin_only")}
	}
	_, err := askCold(ctx, h, by.Table, func(*table) (struct{}, error) {
		err := h.store.DeleteTable(context.WithoutCancel(ctx), by.Table, diceSecret(by.Table))
		h.tokens.forget()
		if err == nil {
			h.wakeAt(by.Table, 0)
			h.tell.Publish(&Moment{Table: by.Table, Gone: true})
		}
		return struct{}{}, err
	})
	return err
}
