package odds

import (
	"cmp"
	"math/big"
	"slices"

	"github.com/hantei/hantei/engine/table"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// result is what the runs of a tree come to.
type result struct {
	when      []func(End) bool
	before    *tablev1.State // resources and statuses, of each character
	done      tally
	truncated tally
	stops     []*ending
	resources []*resource
	statuses  []*status
	whens     []tally
	given     []bool
	touched   []*tally // added to since they were settled
	changed   []any    // of the leaf at hand: what was looked at already
}

type ending struct {
	stopped
	p tally
}

type resource struct {
	character, key string
	audience       typev1.Audience
	before         int32
	points         []*point
}

type point struct {
	value int32
	p     tally
}

type status struct {
	character, key string
	had            bool
	p              tally
}

func (r *result) begin(q *Query) {
	r.when, r.whens, r.given = q.When, make([]tally, len(q.When)), make([]bool, len(q.Answers))
	r.before = &tablev1.State{}
	for _, c := range q.now().Characters {
		// Rows are replaced in their lists and never written: copies of the lists will do.
		r.before.Characters = append(r.before.Characters, &tablev1.Character{
			Id: c.Id, Resources: slices.Clone(c.Resources), Statuses: slices.Clone(c.Statuses),
		})
	}
}

func (r *result) touch(t *tally) { r.touched = append(r.touched, t) }

func (r *result) add(t *tally, p weight) {
	if !t.open() {
		r.touch(t)
	}
	t.add(p)
}

func (r *result) stop(s stopped, p weight) {
	i := slices.IndexFunc(r.stops, func(e *ending) bool { return e.stopped == s })
	if i < 0 {
		i = len(r.stops)
		r.stops = append(r.stops, &ending{stopped: s})
	}
	r.add(&r.stops[i].p, p)
}

// end takes in how a run ends.
func (r *result) end(changes []*tablev1.Change, end End, p weight) {
	r.add(&r.done, p)
	for i, holds := range r.when {
		if holds(end) {
			r.add(&r.whens[i], p)
		}
	}
	r.changed = r.changed[:0]
	for _, c := range slices.Backward(changes) {
		switch {
		case c.GetResource() != nil:
			r.resource(c.GetResource(), p)
		case c.GetStatus() != nil:
			r.status(c.GetStatus(), p)
		}
	}
}

// first reports whether a row is looked at for the first time in a leaf.
func (r *result) first(row any) bool {
	if slices.Contains(r.changed, row) {
		return false
	}
	r.changed = append(r.changed, row)
	return true
}

func (r *result) resource(c *tablev1.ResourceChange, p weight) {
	i := slices.IndexFunc(r.resources, func(row *resource) bool { return row.character == c.Character && row.key == c.After.GetKey() })
	if i < 0 {
		was := table.Resource(table.Character(r.before, c.Character), c.After.GetKey())
		i = len(r.resources)
		r.resources = append(r.resources, &resource{character: c.Character, key: c.After.GetKey(), audience: c.After.GetAudience(), before: was.GetValue()})
	}
	row := r.resources[i]
	if r.first(row) {
		r.add(&row.at(c.After.GetValue()).p, p)
	}
}

func (row *resource) at(value int32) *point {
	i := slices.IndexFunc(row.points, func(q *point) bool { return q.value == value })
	if i < 0 {
		i = len(row.points)
		row.points = append(row.points, &point{value: value})
	}
	return row.points[i]
}

func (r *result) status(c *tablev1.StatusChange, p weight) {
	key := c.After.GetKey()
	i := slices.IndexFunc(r.statuses, func(row *status) bool { return row.character == c.Character && row.key == key })
	if i < 0 {
		had := table.Status(table.Character(r.before, c.Character), key) != nil
		i = len(r.statuses)
		r.statuses = append(r.statuses, &status{character: c.Character, key: key, had: had})
	}
	if row := r.statuses[i]; r.first(row) && row.had == c.Removed {
		r.add(&row.p, p)
	}
}

// odds writes down what was found.
func (w *walk) odds() *Odds {
	r := &w.result
	out := &Odds{Exact: w.random == nil, Leaves: w.leaves, Truncated: r.truncated.rat()}
	if w.random != nil {
		out.Leaves, out.Samples = 0, w.q.samples()
	}
	for _, s := range r.stops {
		out.Stops = append(out.Stops, Stop{Character: s.of, Label: s.label, P: s.p.rat()})
	}
	for _, f := range w.found {
		if f.p.rat().Sign() > 0 {
			out.Events = append(out.Events, Event{Event: f.event, P: f.p.rat()})
		}
	}
	for i, given := range r.given {
		if !given {
			out.Unused = append(out.Unused, i)
		}
	}
	if len(r.stops) > 0 {
		return out
	}
	for _, row := range r.resources {
		if o, moves := row.odds(r.done.rat()); moves {
			out.Resources = append(out.Resources, o)
		}
	}
	slices.SortStableFunc(out.Resources, func(a, b Resource) int {
		return cmp.Or(cmp.Compare(a.Character, b.Character), cmp.Compare(a.Key, b.Key))
	})
	for _, row := range r.statuses {
		if row.p.rat().Sign() > 0 {
			out.Statuses = append(out.Statuses, Status{Character: row.character, Key: row.key, Lost: row.had, P: row.p.rat()})
		}
	}
	slices.SortStableFunc(out.Statuses, func(a, b Status) int {
		return cmp.Or(cmp.Compare(a.Character, b.Character), cmp.Compare(a.Key, b.Key))
	})
	for i := range r.whens {
		out.When = append(out.When, r.whens[i].rat())
	}
	return out
}

// odds are those of a resource: where it was not written it is what it was. moves is
// false if it is that always.
func (row *resource) odds(done *big.Rat) (out Resource, moves bool) {
	out = Resource{Character: row.character, Key: row.key, Audience: row.audience, Before: row.before, Mean: new(big.Rat)}
	same := new(big.Rat).Set(done)
	for _, q := range row.points {
		same.Sub(same, q.p.rat())
	}
	same.Add(same, row.at(row.before).p.rat())
	for _, q := range row.points {
		p := q.p.rat()
		if q.value == row.before {
			p = same
		}
		if p.Sign() == 0 {
			continue
		}
		moves = moves || q.value != row.before
		out.Points = append(out.Points, Point{q.value, p})
		out.Mean.Add(out.Mean, new(big.Rat).Mul(p, big.NewRat(int64(q.value), 1)))
	}
	slices.SortFunc(out.Points, func(a, b Point) int { return cmp.Compare(a.Value, b.Value) })
	return out, moves
}
