package app_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/app"
	"github.com/hantei/hantei/server/auth"
	"github.com/hantei/hantei/server/config"
)

// realServer is a whole server with its real services on a new store.
type realServer struct {
	t     testing.TB
	log   lockedBuffer
	url   string
	conn  *grpc.ClientConn
	admin string       // the token
	stop  func() error // shuts down and waits
}

func startReal(t testing.TB) *realServer {
	t.Helper()
	w := &realServer{t: t}
	cfg := config.Server{
		GRPCAddr: "127.0.0.1:0", HTTPAddr: "127.0.0.1:0", DB: filepath.Join(t.TempDir(), "hantei.db"),
		LogLevel: "debug", LogFormat: "json", MaxBody: 1 << 20, Heartbeat: time.Second, ShutdownGrace: 5 * time.Second,
	}
	log := slog.New(slog.NewJSONHandler(&w.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	var out strings.Builder
	deps, _, err := app.Open(t.Context(), cfg, log, &out)
	if err != nil {
		t.Fatal(err)
	}
	if _, w.admin, _ = strings.Cut(strings.TrimSpace(out.String()), ": "); !strings.HasPrefix(w.admin, "hta_") {
		t.Fatalf("no admin token: %q", out.String())
	}
	a, err := app.New(cfg, deps)
	if err != nil {
		t.Fatal(deps.Abandon(err))
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- a.Run(ctx) }()
	w.stop = sync.OnceValue(func() error { cancel(); return <-done })
	t.Cleanup(func() {
		if err := w.stop(); err != nil {
			t.Error(err)
		}
	})
	w.url = "http://" + a.HTTPAddr().String()
	if w.conn, err = grpc.NewClient(a.GRPCAddr().String(), grpc.WithTransportCredentials(insecure.NewCredentials())); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.conn.Close() })
	return w
}

// holding is the context of a call with a token; none if it is empty.
func (w *realServer) holding(token string) context.Context {
	if token == "" {
		return w.t.Context()
	}
	return metadata.AppendToOutgoingContext(w.t.Context(), "authorization", "Bearer "+token)
}

// calling is holding for a seat that is named in the header; none if it is empty.
func (w *realServer) calling(token, seat string) context.Context {
	if seat == "" {
		return w.holding(token)
	}
	return metadata.AppendToOutgoingContext(w.holding(token), auth.SeatHeader, seat)
}

// place is a table with all who may sit at one.
type place struct {
	id     string
	tokens map[string]string // by principal
	seats  map[string]string
	code   string        // the player's pairing code
	file   func() []byte // exports it
	// headers are the seats that bridges name, bridge is the id of the one that is
	// admitted.
	headers map[string]string
	bridge  string
}

// principals are all kinds of callers, in the order of the rows of expectations.
var principals = []string{"nobody", "admin", "gm", "player", "observer", "stranger", "revoked",
	"bridge", "bridge for player", "bridge for gm", "bridge not admitted", "bridge dismissed"}

// place makes a table: a GM, a player of the nurse, an observer, and somebody
// whose seat is gone. The stranger is the GM of another table.
func (w *realServer) place(stranger string) *place {
	w.t.Helper()
	tables, seats := hanteiv1.NewTableServiceClient(w.conn), hanteiv1.NewSeatServiceClient(w.conn)
	made, err := tables.CreateTable(w.holding(w.admin), &hanteiv1.CreateTableRequest{Name: "Test", Ruleset: "coc"})
	w.ok(err)
	p := &place{
		id:     made.Table.Id,
		tokens: map[string]string{"admin": w.admin, "gm": made.GmToken, "stranger": stranger},
		seats:  map[string]string{"gm": made.GmSeat.Id},

		headers: map[string]string{},
	}
	p.file = func() []byte {
		w.t.Helper()
		r, err := tables.ExportTable(w.holding(made.GmToken), &hanteiv1.ExportTableRequest{TableId: p.id})
		w.ok(err)
		return r.Content
	}
	for name, role := range map[string]tablev1.SeatRole{
		"player": tablev1.SeatRole_SEAT_ROLE_PLAYER, "observer": tablev1.SeatRole_SEAT_ROLE_OBSERVER, "revoked": tablev1.SeatRole_SEAT_ROLE_PLAYER,
	} {
		r := &hanteiv1.InviteSeatRequest{TableId: p.id, Name: name, Role: role}
		if name == "player" {
			r.Characters = []string{"nurse"}
		}
		invited, err := seats.InviteSeat(w.holding(made.GmToken), r)
		w.ok(err)
		p.tokens[name], p.seats[name] = invited.Token, invited.Seat.Id
		if name == "player" {
			p.code = invited.PairingCode.Code
		}
	}
	_, err = seats.RevokeSeat(w.holding(made.GmToken), &hanteiv1.RevokeSeatRequest{TableId: p.id, SeatId: p.seats["revoked"]})
	w.ok(err)
	w.bridges(p)
	_, err = hanteiv1.NewCharacterServiceClient(w.conn).CreateCharacter(w.holding(made.GmToken), &hanteiv1.CreateCharacterRequest{
		TableId: p.id, CharacterId: "nurse", Source: &hanteiv1.CreateCharacterRequest_Sample{Sample: "nurse"},
	})
	w.ok(err)
	return p
}

// bridges makes one that is admitted, one that is not, and one that was.
func (w *realServer) bridges(p *place) {
	w.t.Helper()
	bridges, gm := hanteiv1.NewBridgeServiceClient(w.conn), w.holding(p.tokens["gm"])
	for _, name := range []string{"bridge", "bridge not admitted", "bridge dismissed"} {
		made, err := bridges.CreateBridge(w.holding(w.admin), &hanteiv1.CreateBridgeRequest{Name: name})
		w.ok(err)
		p.tokens[name], p.headers[name] = made.Token, p.seats["player"]
		if name == "bridge not admitted" {
			continue
		}
		_, err = bridges.AdmitBridge(gm, &hanteiv1.AdmitBridgeRequest{TableId: p.id, BridgeId: made.Bridge.Id, AllSeats: true})
		w.ok(err)
		if name == "bridge dismissed" {
			_, err = bridges.DismissBridge(gm, &hanteiv1.DismissBridgeRequest{TableId: p.id, BridgeId: made.Bridge.Id})
			w.ok(err)
			continue
		}
		p.bridge, p.headers[name] = made.Bridge.Id, ""
		for _, seat := range []string{"player", "gm"} {
			p.tokens[name+" for "+seat], p.headers[name+" for "+seat] = made.Token, p.seats[seat]
		}
	}
}

func (w *realServer) ok(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// call makes a call by its method's descriptor, and reads one message of a stream.
func (w *realServer) call(ctx context.Context, m protoreflect.MethodDescriptor, req proto.Message) (proto.Message, error) {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	path := "/" + string(m.Parent().FullName()) + "/" + string(m.Name())
	resp := dynamicpb.NewMessage(m.Output())
	if !m.IsStreamingServer() {
		return resp, w.conn.Invoke(ctx, path, req, resp)
	}
	s, err := w.conn.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true}, path)
	if err != nil {
		return nil, err
	}
	if err := s.SendMsg(req); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if err := s.CloseSend(); err != nil {
		return nil, err
	}
	return resp, s.RecvMsg(resp)
}

// outcome is "ok", or the reason of a refusal, or else its code.
func outcome(err error) string {
	for _, d := range status.Convert(err).Details() {
		if info, ok := d.(*errdetails.ErrorInfo); ok {
			return info.Reason
		}
	}
	if err != nil {
		return status.Code(err).String()
	}
	return "ok"
}

// methods are all of the contract.
func methods() []protoreflect.MethodDescriptor {
	var out []protoreflect.MethodDescriptor
	protoregistry.GlobalFiles.RangeFilesByPackage("hantei.v1", func(f protoreflect.FileDescriptor) bool {
		for i := range f.Services().Len() {
			all := f.Services().Get(i).Methods()
			for j := range all.Len() {
				out = append(out, all.Get(j))
			}
		}
		return true
	})
	return out
}
