package scenario

import (
	"github.com/hantei/hantei/engine/resolve"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

// store keeps a commit as a server would, in bytes, and returns its events.
func (s *session) store(line int, c *tablev1.Commit) ([]*tablev1.Event, bool) {
	b, err := proto.Marshal(c)
	if err != nil {
		return nil, s.fail(line, "a commit that cannot be stored: %v", err)
	}
	events, err := resolve.Events(c)
	if err != nil {
		return nil, s.fail(line, "a commit with a damaged event: %v", err)
	}
	s.log = append(s.log, b)
	s.events = append(s.events, events...)
	return events, true
}

// folds loads the whole log into a second resolver, which must come to the same
// state. With swap the play goes on with that one.
func (s *session) folds(line int, swap bool) bool {
	loaded := resolve.New(s.rules, ids)
	for _, b := range s.log {
		c := &tablev1.Commit{}
		if err := proto.Unmarshal(b, c); err != nil {
			return s.fail(line, "a stored commit cannot be read: %v", err)
		}
		if err := loaded.Load(c); err != nil {
			return s.fail(line, "a stored commit cannot be loaded: %v", err)
		}
	}
	switch {
	case loaded.Hash() != s.r.Hash(), !proto.Equal(loaded.State(), s.r.State()):
		for _, d := range Snap(loaded.State()).Diff(Snap(s.r.State())) {
			s.fail(line, "the loaded log differs: %v", d)
		}
		return s.fail(line, "the loaded log folds to another state")
	case loaded.Number() != s.r.Number(), loaded.Events() != s.r.Events(), loaded.Waiting() != s.r.Waiting():
		return s.fail(line, "the loaded log stands elsewhere: commit %d, event %d, waiting %v; not %d, %d, %v",
			loaded.Number(), loaded.Events(), loaded.Waiting(), s.r.Number(), s.r.Events(), s.r.Waiting())
	}
	if swap {
		s.r = loaded
	}
	return true
}
