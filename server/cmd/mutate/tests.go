package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// tests are those of a package, in one binary.
type tests struct {
	dir, binary string
	flags       []string
	guard       sync.Mutex // of the order of each
	each        []test
}

// test is a test, or a subtest of one.
type test struct {
	name, sub string
	took      time.Duration
	met       map[int]bool // the mutants that would do something else in it
}

func compile(ctx context.Context, dir, overlay, binary string) (*tests, error) {
	c := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", binary, ".")
	c.Dir = dir
	if said, err := c.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build of %s: %w\n%s", dir, err, said)
	}
	t := &tests{dir: dir, binary: binary}
	// nothing is kept of a mutant's failure, and what is drawn is the same in each run
	for _, flag := range []string{"-rapid.nofailfile", "-rapid.seed=1"} {
		name, _, _ := strings.Cut(flag, "=")
		if help, _ := exec.CommandContext(ctx, binary, "-help").CombinedOutput(); strings.Contains(string(help), name) {
			t.flags = append(t.flags, flag)
		}
	}
	return t, nil
}

// What a test says that is no subtest of a subtest; one whose name has a slash is
// known by what stands before it.
var (
	passed = regexp.MustCompile(`(?m)^(?:    )?--- PASS: ([^/\s]+)(?:/([^/\s]+))?\S* \(([0-9.]+s)\)`)
	failed = regexp.MustCompile(`(?m)^(?:    )?--- FAIL: ([^/\s]+)(?:/([^/\s]+))?\S* \(`)
)

// long is what no test takes that has nothing to find.
const long = time.Hour

// look learns which tests there are, and which mutants they meet.
func (t *tests) look(ctx context.Context, s settings, met string) error {
	said, err := t.run(ctx, long, nil, "-test.v", "-test.skip", s.skip)
	if err != nil {
		return fmt.Errorf("the tests of %s fail without any mutant:\n%s", t.dir, said)
	}
	for _, found := range passed.FindAllStringSubmatch(said, -1) {
		if found[2] != "" { // the subtests stand for the test, which comes before them
			t.each = slices.DeleteFunc(t.each, func(u test) bool { return u.name == found[1] && u.sub == "" })
		}
		took, err := time.ParseDuration(found[3])
		if err != nil {
			return err
		}
		t.each = append(t.each, test{name: found[1], sub: found[2], took: took})
	}
	slices.SortStableFunc(t.each, func(a, b test) int { return cmp.Compare(a.took, b.took) })
	for i := range t.each {
		u := &t.each[i]
		if said, err := t.run(ctx, long, []string{"MUTANTS_MET=" + met}, "-test.run", pattern(*u)); err != nil {
			return fmt.Errorf("%s/%s of %s fails by itself:\n%s", u.name, u.sub, t.dir, said)
		}
		text, err := os.ReadFile(met)
		if err != nil {
			return err
		}
		u.met = make(map[int]bool)
		for id := range strings.FieldsSeq(string(text)) {
			n, err := strconv.Atoi(id)
			if err != nil {
				return err
			}
			u.met[n] = true
		}
	}
	return nil
}

// pattern matches tests and their subtests. More may match than were meant, where
// subtests of several tests have the same name.
func pattern(of ...test) string {
	var names, subs []string
	for _, u := range of {
		names = append(names, regexp.QuoteMeta(u.name))
		if u.sub != "" {
			subs = append(subs, regexp.QuoteMeta(u.sub))
		}
	}
	text := "^(" + strings.Join(names, "|") + ")$"
	if len(subs) > 0 {
		text += "/^(" + strings.Join(subs, "|") + ")$"
	}
	return text
}

// meet are the tests that meet a mutant, first those that found others lately.
func (t *tests) meet(mutant int) []test {
	t.guard.Lock()
	defer t.guard.Unlock()
	return slices.DeleteFunc(slices.Clone(t.each), func(u test) bool { return !u.met[mutant] })
}

// find runs the tests that meet a mutant until one fails: the first few by
// themselves, since what found one mutant often finds the next, then the others.
func (t *tests) find(ctx context.Context, s settings, mutant int) bool {
	const few = 3
	fails := func(of ...test) bool {
		took := time.Duration(0)
		for _, u := range of {
			took += u.took
		}
		said, err := t.run(ctx, min(s.timeout, 10*time.Second+5*took), []string{fmt.Sprintf("MUTANT=%d", mutant)}, "-test.failfast", "-test.run", pattern(of...))
		if err != nil {
			t.prefer(said)
		}
		return err != nil
	}
	met := t.meet(mutant)
	first, others := met[:min(few, len(met))], met[min(few, len(met)):]
	for _, u := range first {
		if fails(u) {
			return true
		}
	}
	return len(others) > 0 && fails(others...)
}

// prefer puts first the tests that are said to have failed, but for the slow ones.
func (t *tests) prefer(said string) {
	t.guard.Lock()
	defer t.guard.Unlock()
	for _, found := range failed.FindAllStringSubmatch(said, -1) {
		i := slices.IndexFunc(t.each, func(u test) bool { return u.name == found[1] && u.sub == found[2] && u.took < time.Second/2 })
		if i > 0 {
			u := t.each[i]
			t.each = slices.Insert(slices.Delete(t.each, i, i+1), 0, u)
		}
	}
}

// run runs tests, and returns what they print.
func (t *tests) run(ctx context.Context, timeout time.Duration, env []string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	args = append(args, "-test.timeout", timeout.String())
	c := exec.CommandContext(ctx, t.binary, append(args, t.flags...)...)
	c.Dir = t.dir
	c.Env = append(append(os.Environ(), "GOMAXPROCS=1", "GOMEMLIMIT=1GiB"), env...)
	said, err := c.CombinedOutput()
	return string(said), err
}
