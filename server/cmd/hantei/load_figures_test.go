package main

import (
	"bufio"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// figures logs what memory the server takes.
func (l *load) figures(when string) {
	l.t.Helper()
	res, err := http.Get("http://" + l.metrics + "/metrics")
	if err != nil {
		l.t.Fatal(err)
	}
	defer res.Body.Close()
	values := make(map[string]float64)
	lines := bufio.NewScanner(res.Body)
	for lines.Scan() {
		if name, value, ok := strings.Cut(lines.Text(), " "); ok {
			if n, err := strconv.ParseFloat(value, 64); err == nil {
				values[name] = n
			}
		}
	}
	if err := lines.Err(); err != nil {
		l.t.Fatal(err)
	}
	mb := func(name string) string { return fmt.Sprintf("%.1f MB", values[name]/1e6) }
	l.t.Logf("%-24s heap %s (collected at %s), stacks %s, resident %s, %.0f goroutines; %d tables, %d watchers", when+":",
		mb("go_memstats_heap_inuse_bytes"), mb("go_memstats_next_gc_bytes"), mb("go_memstats_stack_inuse_bytes"),
		mb("process_resident_memory_bytes"), values["go_goroutines"], len(l.stages), len(l.watchers))
}

// forget drops what is known of when actions were sent.
func (l *load) forget() { l.sent.Clear() }

// report logs how fast a part was: actions, and from the sending of an action until
// a watcher had its frame. The commit lies between the two.
func (l *load) report(name string, took []time.Duration, lasted time.Duration, frames int64) {
	var beside, elsewhere []time.Duration
	for _, w := range l.watchers {
		if w.late || w.leaves {
			continue
		}
		w.mu.Lock()
		for _, e := range w.told {
			if began, ok := l.sent.Load(e.id); ok {
				d := e.at.Sub(began.(time.Time))
				if slices.Contains(l.busy(), w.stage) {
					beside = append(beside, d)
				} else {
					elsewhere = append(elsewhere, d)
				}
			}
		}
		w.mu.Unlock()
	}
	l.t.Logf("%-24s %.0f actions/s (p50 %v, p99 %v), %.0f frames/s; action to frame at busy tables p50 %v, p99 %v, elsewhere p50 %v, p99 %v",
		name+":", float64(len(took))/lasted.Seconds(), quantile(took, 50), quantile(took, 99), float64(frames)/lasted.Seconds(),
		quantile(beside, 50), quantile(beside, 99), quantile(elsewhere, 50), quantile(elsewhere, 99))
}

func quantile(all []time.Duration, percent int) time.Duration {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[min(len(all)-1, len(all)*percent/100)].Round(10 * time.Microsecond)
}

// returns is how often watchers came back.
func (l *load) returns() (n int64) {
	for _, w := range l.watchers {
		n += w.came.Load()
	}
	return n
}

// settle waits until all who read have been told of all that has happened.
func (l *load) settle() {
	l.t.Helper()
	l.each(len(l.stages), func(i int) error {
		s := l.stages[i]
		s.mu.Lock()
		defer s.mu.Unlock()
		_, err := l.roll(s, s.gm, "thug", typev1.Audience_AUDIENCE_UNSPECIFIED) // which everybody sees
		return err
	})
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(10 * time.Millisecond) {
		behind := 0
		for _, w := range l.watchers {
			if !w.held() && w.last() != w.stage.last {
				behind++
			}
		}
		if behind == 0 {
			return
		}
		if time.Now().After(end) || l.t.Failed() {
			l.t.Fatalf("%d watchers do not get to the end of the log", behind)
		}
	}
}

// check compares what each watcher was told with the log as its seat may see it.
func (l *load) check() {
	l.t.Helper()
	l.each(len(l.watchers), func(i int) error {
		w := l.watchers[i]
		want, _, err := l.log(w.stage, w.token)
		if err != nil {
			return err
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		for i := range max(len(want), len(w.told)) {
			switch {
			case i >= len(want):
				return fmt.Errorf("table %s: event %s is told, which is not in the log", w.stage.id, w.told[i].id)
			case i >= len(w.told):
				return fmt.Errorf("table %s: event %s is missing, number %d of %d", w.stage.id, want[i].id, i+1, len(want))
			case w.told[i].id != want[i].id:
				return fmt.Errorf("table %s: event %d is %s, not %s as in the log", w.stage.id, i+1, w.told[i].id, want[i].id)
			case w.told[i].sum != want[i].sum:
				return fmt.Errorf("table %s: event %s is told otherwise than it stands in the log", w.stage.id, want[i].id)
			}
		}
		return nil
	})
	n := 0
	for _, w := range l.watchers {
		n += len(w.told)
	}
	l.t.Logf("%d events were told to %d watchers, each once and in order", n, len(l.watchers))
}
