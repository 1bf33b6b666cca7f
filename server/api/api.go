// Package api has the services of the contract. They only translate: a request
// becomes a call of the host, what comes back becomes a response, and every
// refusal becomes a status in one place.
package api

import (
	"log/slog"
	"time"

	"github.com/hantei/hantei/engine/locale"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/host"
	"github.com/hantei/hantei/server/stream"

	"github.com/hantei/hantei/server/language"
)

// defaultHeartbeat is shorter than proxies keep idle streams.
const defaultHeartbeat = 15 * time.Second

// defaultRequestBytes is the largest request unless the server says otherwise.
const defaultRequestBytes = 1 << 20

// Options are what the services are made of.
type Options struct {
	// Host has the tables.
	Host *host.Host
	// Hub is the host's publisher.
	Hub *stream.Hub
	// Log gets what callers are not told; nil drops it.
	Log *slog.Logger
	// Heartbeat is how often a quiet stream sends one; 0 for 15 seconds.
	Heartbeat time.Duration
	// RequestBytes is the largest request, to be told; 0 for one MiB.
	RequestBytes int
}

// Services are the services of the contract.
type Services struct {
	Ruleset   hanteiv1.RulesetServiceServer
	Table     hanteiv1.TableServiceServer
	Seat      hanteiv1.SeatServiceServer
	Bridge    hanteiv1.BridgeServiceServer
	Character hanteiv1.CharacterServiceServer
	Play      hanteiv1.PlayServiceServer
}

// New makes the services.
func New(o Options) *Services {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Heartbeat <= 0 {
		o.Heartbeat = defaultHeartbeat
	}
	if o.RequestBytes <= 0 {
		o.RequestBytes = defaultRequestBytes
	}
	e := &edge{core: language.Texts(), log: o.Log}
	return &Services{
		Ruleset:   newRulesetService(e, o.Host.Games(), o.RequestBytes),
		Table:     &tableService{edge: e, host: o.Host},
		Seat:      &seatService{edge: e, host: o.Host},
		Bridge:    &bridgeService{edge: e, host: o.Host},
		Character: &characterService{edge: e, host: o.Host},
		Play: &playService{edge: e, host: o.Host, watcher: &stream.Watcher{
			Hub: o.Hub, Tables: o.Host, Heartbeat: o.Heartbeat, Log: o.Log,
		}},
	}
}

// edge is where errors leave the server.
type edge struct {
	core *locale.Catalog
	log  *slog.Logger
}
