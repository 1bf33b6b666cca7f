package interceptor

import (
	"container/list"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// maxBuckets is how many callers are remembered at once. One that is forgotten
// starts anew with a full bucket, so that the limit bounds memory and costs no
// more than some further calls.
const maxBuckets = 16384

// buckets has a token bucket for each caller.
type buckets struct {
	rate  rate.Limit
	burst int
	max   int

	mu       sync.Mutex
	byCaller map[caller]*list.Element
	order    list.List // of *bucket, the latest used first
}

type bucket struct {
	caller caller
	*rate.Limiter
}

// newBuckets lets burst calls in at once and perSecond in the long run; 0 sets no
// limit.
func newBuckets(perSecond float64, burst int) *buckets {
	limit := rate.Limit(perSecond)
	if perSecond == 0 {
		limit = rate.Inf
	}
	return &buckets{rate: limit, burst: burst, max: maxBuckets, byCaller: map[caller]*list.Element{}}
}

// take counts a call of c, and returns 0; or how long to wait until there may be
// one.
func (b *buckets) take(c caller, now time.Time) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	r := b.of(c).ReserveN(now, 1)
	wait := r.DelayFrom(now)
	if wait > 0 {
		r.CancelAt(now)
	}
	return wait
}

// wait is how long c has to wait until a call may be counted; 0 if it need not.
func (b *buckets) wait(c caller, now time.Time) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	e, ok := b.byCaller[c]
	if !ok || b.rate == rate.Inf {
		return 0
	}
	missing := 1 - e.Value.(*bucket).TokensAt(now)
	return max(0, time.Duration(missing/float64(b.rate)*float64(time.Second)))
}

// knows says whether c has called lately.
func (b *buckets) knows(c caller) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.byCaller[c] != nil
}

// forget makes c a stranger.
func (b *buckets) forget(c caller) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if e, ok := b.byCaller[c]; ok {
		b.remove(e)
	}
}

// of returns the bucket of c, and makes it if need be. The caller holds the lock.
func (b *buckets) of(c caller) *bucket {
	if e, ok := b.byCaller[c]; ok {
		b.order.MoveToFront(e)
		return e.Value.(*bucket)
	}
	if len(b.byCaller) >= b.max {
		b.remove(b.order.Back())
	}
	made := &bucket{c, rate.NewLimiter(b.rate, b.burst)}
	b.byCaller[c] = b.order.PushFront(made)
	return made
}

func (b *buckets) remove(e *list.Element) {
	delete(b.byCaller, b.order.Remove(e).(*bucket).caller)
}
