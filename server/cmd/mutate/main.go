// Command mutate tries the tests of a package: it makes small faults in the code,
// one at a time (a comparison flipped or off by its edge, a condition negated, a
// number off by one, plus for minus, the least for the most), and lists by rule
// those that no test finds, of the package or of those named with -with.
//
// All faults are compiled into each test binary, which an environment variable makes
// one mutant or another, so that a mutant costs a run of the tests and no build. Each
// test and subtest is run once by itself beforehand, to know the mutants that it
// meets; a mutant is then tried with the tests that meet it alone.
package main

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

//go:embed switch.txt
var switchText string

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

// settings are the flags.
type settings struct {
	dir, skip   string
	only, with  []string
	every, jobs int
	timeout     time.Duration
}

func run(ctx context.Context, args []string, out io.Writer) error {
	var s settings
	flags := flag.NewFlagSet("mutate", flag.ContinueOnError)
	flags.StringVar(&s.skip, "skip", "", "regexp of tests that are not run")
	flags.Func("only", "only mutants whose rule or file begins with this, for example COC-SAN or sanity.go; may be repeated", func(prefix string) error {
		s.only = append(s.only, prefix)
		return nil
	})
	flags.Func("with", "directory of another package whose tests are run where the package's own find nothing; may be repeated", func(dir string) error {
		s.with = append(s.with, dir)
		return nil
	})
	flags.IntVar(&s.every, "every", 1, "only every n-th mutant")
	flags.IntVar(&s.jobs, "jobs", runtime.NumCPU(), "mutants tried at a time")
	flags.DurationVar(&s.timeout, "timeout", 2*time.Minute, "what takes longer is a fault that is found, or much longer than without it")
	flags.Usage = func() {
		fmt.Fprintln(flags.Output(), "usage: mutate [flags] PACKAGE-DIR")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return fmt.Errorf("name one package, as a directory")
	}
	if s.every < 1 || s.jobs < 1 {
		return fmt.Errorf("-every and -jobs are 1 or more")
	}
	s.dir = flags.Arg(0)

	tmp, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	all, overlay, err := mutated(ctx, s.dir, tmp)
	if err != nil {
		return err
	}
	var packages []*tests
	for i, dir := range append([]string{s.dir}, s.with...) {
		t, err := compile(ctx, dir, overlay, filepath.Join(tmp, fmt.Sprintf("%d.test", i)))
		if err != nil {
			return err
		}
		if err := t.look(ctx, s, filepath.Join(tmp, "met")); err != nil {
			return err
		}
		packages = append(packages, t)
	}
	var tried []int
	for id, m := range all {
		begins := func(prefix string) bool {
			return strings.HasPrefix(m.Rule, prefix) || strings.HasPrefix(m.File, prefix)
		}
		if (len(s.only) == 0 || slices.ContainsFunc(s.only, begins)) && id%s.every == 0 {
			tried = append(tried, id)
		}
	}
	for _, id := range tried {
		all[id].Met = slices.ContainsFunc(packages, func(t *tests) bool { return len(t.meet(id)) > 0 })
	}
	survived, err := try(ctx, s, packages, all, tried)
	if err != nil {
		return err
	}
	report(out, all, tried, survived)
	return nil
}

// mutated writes the package as it is with all mutants, and returns them with the
// file that lays it over the package.
func mutated(ctx context.Context, dir, tmp string) ([]mutant, string, error) {
	fset := token.NewFileSet()
	packages, err := parser.ParseDir(fset, dir, func(i os.FileInfo) bool { return !strings.HasSuffix(i.Name(), "_test.go") }, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, "", err
	}
	if len(packages) != 1 {
		return nil, "", fmt.Errorf("%s has %d packages", dir, len(packages))
	}
	var all []mutant
	overlay := make(map[string]string)
	put := func(name, text string) error {
		to := filepath.Join(tmp, filepath.Base(name))
		path, err := filepath.Abs(name)
		if err != nil {
			return err
		}
		overlay[path] = to
		return os.WriteFile(to, []byte(text), 0o600)
	}
	for _, p := range packages {
		names := slices.Sorted(maps.Keys(p.Files))
		trees := make([]*ast.File, len(names))
		for i, name := range names {
			trees[i] = p.Files[name]
		}
		info := &types.Info{Types: make(map[ast.Expr]types.TypeAndValue), Uses: make(map[*ast.Ident]types.Object), Defs: make(map[*ast.Ident]types.Object)}
		exports, err := exported(ctx, dir)
		if err != nil {
			return nil, "", err
		}
		config := types.Config{Importer: importer.ForCompiler(fset, "gc", exports)}
		pkg, err := config.Check(dir, fset, trees, info)
		if err != nil {
			return nil, "", err
		}
		for i, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				return nil, "", err
			}
			f := &file{name: filepath.Base(name), text: string(text), mutants: &all, fset: fset, pkg: pkg, info: info}
			f.mutate(trees[i])
			if err := put(name, f.edited()); err != nil {
				return nil, "", err
			}
		}
		if err := put(filepath.Join(dir, "zz_mutant.go"), fmt.Sprintf(switchText, p.Name)); err != nil {
			return nil, "", err
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		return nil, "", err
	}
	list := filepath.Join(tmp, "overlay.json")
	if err := os.WriteFile(list, text, 0o600); err != nil {
		return nil, "", err
	}
	return all, list, nil
}

// exported finds what the compiler knows of the packages that a package imports.
func exported(ctx context.Context, dir string) (importer.Lookup, error) {
	c := exec.CommandContext(ctx, "go", "list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}", ".")
	c.Dir = dir
	said, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	files := make(map[string]string)
	for line := range strings.Lines(string(said)) {
		if path, file, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			files[path] = file
		}
	}
	return func(path string) (io.ReadCloser, error) { return os.Open(files[path]) }, nil
}

// try runs the tests as each of the mutants, and returns those that they do not find.
// It says at once which they are: a run takes long, and may be broken off.
func try(ctx context.Context, s settings, packages []*tests, all []mutant, ids []int) ([]int, error) {
	next := make(chan int)
	var survived []int
	var guard sync.Mutex
	var done sync.WaitGroup
	for range s.jobs {
		done.Go(func() {
			for id := range next {
				found := slices.ContainsFunc(packages, func(t *tests) bool {
					return t.find(ctx, s, id)
				})
				if !found && ctx.Err() == nil {
					guard.Lock()
					survived = append(survived, id)
					fmt.Fprintf(os.Stderr, "%s %v\n", all[id].Rule, all[id])
					guard.Unlock()
				}
			}
		})
	}
	for n, id := range ids {
		if n > 0 && n%100 == 0 {
			fmt.Fprintf(os.Stderr, "%d of %d mutants tried\n", n, len(ids))
		}
		select {
		case next <- id:
		case <-ctx.Done():
		}
	}
	close(next)
	done.Wait()
	slices.Sort(survived)
	return survived, ctx.Err()
}

// report lists the survivors by rule, those with most of them first.
func report(out io.Writer, all []mutant, tried, survived []int) {
	type row struct {
		rule  string
		tried int
		left  []int
	}
	rows := make(map[string]*row)
	for _, id := range tried {
		r := rows[all[id].Rule]
		if r == nil {
			r = &row{rule: all[id].Rule}
			rows[r.rule] = r
		}
		r.tried++
		if slices.Contains(survived, id) {
			r.left = append(r.left, id)
		}
	}
	var sorted []*row
	for _, r := range rows {
		sorted = append(sorted, r)
	}
	slices.SortFunc(sorted, func(a, b *row) int {
		return cmp.Or(len(b.left)-len(a.left), strings.Compare(a.rule, b.rule))
	})
	for _, r := range sorted {
		fmt.Fprintf(out, "%s: %d of %d found\n", r.rule, r.tried-len(r.left), r.tried)
		for _, id := range r.left {
			fmt.Fprintf(out, "  %v\n", all[id])
		}
	}
	fmt.Fprintf(out, "%d of %d mutants found, %d survived\n", len(tried)-len(survived), len(tried), len(survived))
}
