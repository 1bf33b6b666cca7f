package host

import (
	"sync"

	"github.com/hantei/hantei/server/auth"
)

// maxKnown bounds how many tokens are remembered, and with it their memory: some
// 2 MB.
const maxKnown = 16384

// known remembers who holds which token, since every call asks and asking the
// store costs more than most calls do. The zero value is ready.
type known struct {
	mu    sync.Mutex
	by    map[auth.Hash]auth.Principal
	epoch int // how often tokens have died
}

// find is who holds a token; false if that must be asked of the store. What it
// says may then be kept with the epoch.
func (k *known) find(token auth.Hash) (p auth.Principal, epoch int, ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	p, ok = k.by[token]
	return p, k.epoch, ok
}

// keep remembers what the store has said, unless tokens have died since it was
// asked: this one may be among them.
func (k *known) keep(token auth.Hash, p auth.Principal, epoch int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if epoch != k.epoch {
		return
	}
	if k.by == nil || len(k.by) >= maxKnown {
		k.by = make(map[auth.Hash]auth.Principal)
	}
	k.by[token] = p
}

// forget is called after tokens have died in the store, or may have, and before
// anybody is told so. It forgets all: tokens seldom die.
func (k *known) forget() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.by = nil
	k.epoch++
}
