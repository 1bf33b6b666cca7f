package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// tests are those of a package, in one binary.
type tests struct {
	dir, binary string
	flags       []string
	each        []test
}

// test is a test, or a subtest of one.
type test struct {
	name, sub string
	took      time.Duration
	met       map[int]bool // the mutants that would change what it does
}

func compile(ctx context.Context, dir, overlay, binary string) (tests, error) {
	c := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", binary, ".")
	c.Dir = dir
	if said, err := c.CombinedOutput(); err != nil {
		return tests{}, fmt.Errorf("build of %s: %w\n%s", dir, err, said)
	}
	t := tests{dir: dir, binary: binary}
	// nothing is kept of a mutant's failure, and what is drawn is the same in each run
	for _, flag := range []string{"-rapid.nofailfile", "-rapid.seed=1"} {
		name, _, _ := strings.Cut(flag, "=")
		if help, _ := exec.CommandContext(ctx, binary, "-help").CombinedOutput(); strings.Contains(string(help), name) {
			t.flags = append(t.flags, flag)
		}
	}
	return t, nil
}

// passed is what a test says that is no subtest of a subtest.
var passed = regexp.MustCompile(`(?m)^(?:    )?--- PASS: ([^/\s]+)(?:/(\S+))? \(([0-9.]+)s\)$`)

// look learns which tests there are, how long they take and which mutants they meet.
func (t *tests) look(ctx context.Context, s settings, met string) error {
	said, err := t.run(ctx, s.timeout, nil, "-test.v", "-test.skip", s.skip)
	if err != nil {
		return fmt.Errorf("the tests of %s fail without any mutant:\n%s", t.dir, said)
	}
	for _, found := range passed.FindAllStringSubmatch(said, -1) {
		took, err := time.ParseDuration(found[3] + "s")
		if err != nil {
			return err
		}
		if found[2] != "" { // the subtests stand for the test, which comes before them
			t.each = slices.DeleteFunc(t.each, func(u test) bool { return u.name == found[1] && u.sub == "" })
		}
		t.each = append(t.each, test{name: found[1], sub: found[2], took: took})
	}
	for i := range t.each {
		u := &t.each[i]
		args := []string{"-test.run", pattern(u.name)}
		if u.sub != "" {
			args[1] += "/" + pattern(u.sub)
		}
		if said, err := t.run(ctx, s.timeout, []string{"MUTANTS_MET=" + met}, args...); err != nil {
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

// pattern matches one of the names and nothing else.
func pattern(names ...string) string {
	for i, name := range names {
		names[i] = regexp.QuoteMeta(name)
	}
	return "^(" + strings.Join(names, "|") + ")$"
}

// meet are the tests that meet a mutant.
func (t tests) meet(mutant int) []test {
	return slices.DeleteFunc(slices.Clone(t.each), func(u test) bool { return !u.met[mutant] })
}

// find runs the tests that meet a mutant until one fails: test by test, the quickest
// first, and of each all subtests at once.
func (t tests) find(ctx context.Context, s settings, mutant int) bool {
	took := make(map[string]time.Duration)
	subs := make(map[string][]string)
	for _, u := range t.meet(mutant) {
		took[u.name] += u.took
		if u.sub != "" {
			subs[u.name] = append(subs[u.name], u.sub)
		}
	}
	names := slices.SortedFunc(maps.Keys(took), func(a, b string) int {
		return cmp.Or(cmp.Compare(took[a], took[b]), strings.Compare(a, b))
	})
	for _, name := range names {
		run := pattern(name)
		if len(subs[name]) > 0 {
			run += "/" + pattern(subs[name]...)
		}
		if _, err := t.run(ctx, s.timeout, []string{fmt.Sprintf("MUTANT=%d", mutant)}, "-test.failfast", "-test.run", run); err != nil {
			return true
		}
	}
	return false
}

// run runs tests, and returns what they print.
func (t tests) run(ctx context.Context, timeout time.Duration, env []string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	args = append(args, "-test.timeout", timeout.String())
	c := exec.CommandContext(ctx, t.binary, append(args, t.flags...)...)
	c.Dir = t.dir
	c.Env = append(append(os.Environ(), "GOMAXPROCS=1", "GOMEMLIMIT=1GiB"), env...)
	said, err := c.CombinedOutput()
	return string(said), err
}
