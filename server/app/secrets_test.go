package app_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"google.golang.org/grpc"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
)

// post sends a request over REST and returns the answer's status and body.
func (w *realServer) post(path, token, body string) (int, string) {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, w.url+path, strings.NewReader(body))
	w.ok(err)
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(r)
	w.ok(err)
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	w.ok(err)
	return resp.StatusCode, string(b)
}

// TestLogHasNoSecrets looks through the log of a whole session, at its most
// talkative, for the tokens and codes that went over the wire.
func TestLogHasNoSecrets(t *testing.T) {
	w := startReal(t)
	tables, seats := hanteiv1.NewTableServiceClient(w.conn), hanteiv1.NewSeatServiceClient(w.conn)
	secrets := map[string]string{"the admin's token": w.admin}

	made, err := tables.CreateTable(w.holding(w.admin), &hanteiv1.CreateTableRequest{Name: "Test", Ruleset: "coc", RequestId: "r1"})
	w.ok(err)
	gm := w.holding(made.GmToken)
	secrets["the GM's token"], secrets["the GM's code"] = made.GmToken, made.GmPairingCode.Code
	invited, err := seats.InviteSeat(gm, &hanteiv1.InviteSeatRequest{TableId: made.Table.Id, Name: "P", Role: tablev1.SeatRole_SEAT_ROLE_PLAYER})
	w.ok(err)
	secrets["the player's token"], secrets["the player's code"] = invited.Token, invited.PairingCode.Code
	watch, err := hanteiv1.NewPlayServiceClient(w.conn).Watch(w.holding(invited.Token), &hanteiv1.WatchRequest{TableId: []string{made.Table.Id}})
	w.ok(err)
	_, err = watch.Recv()
	w.ok(err)

	bridges := hanteiv1.NewBridgeServiceClient(w.conn)
	relay, err := bridges.CreateBridge(w.holding(w.admin), &hanteiv1.CreateBridgeRequest{Name: "Relay", RequestId: "r2"})
	w.ok(err)
	secrets["the bridge's token"] = relay.Token
	_, err = bridges.AdmitBridge(gm, &hanteiv1.AdmitBridgeRequest{TableId: made.Table.Id, BridgeId: relay.Bridge.Id, AllSeats: true})
	w.ok(err)
	relayed, err := hanteiv1.NewPlayServiceClient(w.conn).Watch(w.holding(relay.Token), &hanteiv1.WatchRequest{SeatId: []string{made.GmSeat.Id}})
	w.ok(err)
	_, err = relayed.Recv()
	w.ok(err)
	// Where it does not belong, and where it belongs no more.
	_, err = tables.ListTables(w.calling(relay.Token, relay.Token[:24]), &hanteiv1.ListTablesRequest{})
	if outcome(err) != "NOT_YOUR_SEAT" {
		t.Error(err)
	}
	w.post("/v1/tables/"+made.Table.Id+"/bridges/"+relay.Token+":dismiss", made.GmToken, `{}`)
	_, err = bridges.DeleteBridge(w.holding(w.admin), &hanteiv1.DeleteBridgeRequest{BridgeId: relay.Bridge.Id})
	w.ok(err)
	if err := ends(relayed); outcome(err) != "TOKEN_UNKNOWN" {
		t.Errorf("the stream of the removed bridge ended with %v", err)
	}
	_, err = tables.ListTables(w.holding(relay.Token), &hanteiv1.ListTablesRequest{})
	if outcome(err) != "TOKEN_UNKNOWN" {
		t.Error(err)
	}

	// Over gRPC and REST: what is right, used, wrong and misshapen.
	paired, err := seats.PairSeat(t.Context(), &hanteiv1.PairSeatRequest{Code: made.GmPairingCode.Code, Name: "Phone"})
	w.ok(err)
	secrets["the paired token"] = paired.Token
	for range 2 {
		code, body := w.post("/v1/pair", "", fmt.Sprintf(`{"code": %q}`, strings.ToLower(invited.PairingCode.Code)))
		if code != http.StatusOK && code != http.StatusNotFound {
			t.Errorf("%d %s", code, body)
		}
	}
	w.post("/v1/pair", made.GmToken, fmt.Sprintf(`{"code": %q, "nonesuch": 1}`, made.GmPairingCode.Code))
	w.post("/v1/pair", "", fmt.Sprintf(`{"code": %q}`, made.GmPairingCode.Code+"\x01"))
	w.post("/v1/pair", "", fmt.Sprintf(`%q`, made.GmPairingCode.Code))
	w.post("/v1/tables/"+made.Table.Id+"/seats/"+invited.Seat.Id+":revoke", invited.Token, `{}`)
	_, err = tables.GetTable(w.holding(paired.Token[:len(paired.Token)-1]), &hanteiv1.GetTableRequest{TableId: made.Table.Id})
	if outcome(err) != "TOKEN_UNKNOWN" {
		t.Error(err)
	}
	_, err = tables.GetTable(w.holding(made.GmToken), &hanteiv1.GetTableRequest{TableId: made.GmToken[:24]})
	if outcome(err) != "NOT_FOUND" {
		t.Error(err)
	}
	for range 2 {
		more, err := seats.CreatePairingCode(gm, &hanteiv1.CreatePairingCodeRequest{TableId: made.Table.Id, SeatId: invited.Seat.Id, Replace: true})
		w.ok(err)
		secrets["another code "+more.PairingCode.Code[:1]] = more.PairingCode.Code
	}
	_, err = seats.RevokeSeat(gm, &hanteiv1.RevokeSeatRequest{TableId: made.Table.Id, SeatId: invited.Seat.Id})
	w.ok(err)
	if err := ends(watch); outcome(err) != "TOKEN_UNKNOWN" {
		t.Errorf("the stream of the revoked seat ended with %v", err)
	}
	_, err = tables.GetTable(w.holding(invited.Token), &hanteiv1.GetTableRequest{TableId: made.Table.Id})
	if outcome(err) != "TOKEN_UNKNOWN" {
		t.Error(err)
	}

	log := strings.ToUpper(w.log.String())
	if !strings.Contains(log, "PAIRSEAT") || !strings.Contains(log, "REVOKESEAT") {
		t.Error("the log does not tell of the session")
	}
	for name, secret := range secrets {
		for _, form := range []string{secret, strings.ReplaceAll(secret, "-", "")} {
			if strings.Contains(log, strings.ToUpper(form)) {
				t.Errorf("%s is in the log", name)
			}
		}
		// Not even the part of it that one could look for.
		if len(secret) > 20 && strings.Contains(log, strings.ToUpper(secret[4:16])) {
			t.Errorf("a part of %s is in the log", name)
		}
	}
}

// ends is what a stream ends with.
func ends(s grpc.ServerStreamingClient[hanteiv1.WatchResponse]) error {
	for {
		if _, err := s.Recv(); err != nil {
			return err
		}
	}
}

// TestRevokedStreamREST: over HTTP a stream that is ended says why, and from where
// to go on.
func TestRevokedStreamREST(t *testing.T) {
	w := startReal(t)
	p := w.place("")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, w.url+"/v1/watch", nil)
	w.ok(err)
	r.Header.Set("Authorization", "Bearer "+p.tokens["player"])
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(r)
	w.ok(err)
	defer resp.Body.Close()
	if code, body := w.post("/v1/tables/"+p.id+"/seats/"+p.seats["player"]+":revoke", p.tokens["gm"], `{}`); code != http.StatusOK {
		t.Fatalf("%d %s", code, body)
	}
	b, err := io.ReadAll(resp.Body)
	w.ok(err)
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	if last := lines[len(lines)-1]; !strings.Contains(last, "TOKEN_UNKNOWN") || !strings.Contains(last, `"cursor"`) {
		t.Errorf("last line %s", last)
	}
}
