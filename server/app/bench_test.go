package app_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/hantei/hantei/server/auth"
	"github.com/hantei/hantei/server/gateway"
	"github.com/hantei/hantei/server/interceptor"

	"github.com/fullstorydev/grpchan/inprocgrpc"

	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
)

// What a trivial method costs over REST, the network apart.
func BenchmarkREST(b *testing.B) {
	log := slog.New(slog.NewJSONHandler(io.Discard, nil))
	chain, err := interceptor.Chain(interceptor.Options{Log: log, Drain: interceptor.NewDrain(),
		Auth: auth.AuthenticatorFunc(func(context.Context, auth.Hash) (auth.Principal, error) {
			return auth.Principal{Seat: "s", Table: "t"}, nil
		})})
	if err != nil {
		b.Fatal(err)
	}
	conn := new(inprocgrpc.Channel).WithServerUnaryInterceptor(chain.Unary).WithServerStreamInterceptor(chain.Stream)
	hanteiv1.RegisterTableServiceServer(conn, fakeTable{})
	h, err := gateway.New(gateway.Options{Conn: conn, MaxBody: 1 << 20, WriteTimeout: time.Second, Ready: func() error { return nil }})
	if err != nil {
		b.Fatal(err)
	}
	token := "Bearer " + auth.NewToken(auth.KindSeat)
	b.ReportAllocs()
	for b.Loop() {
		r := httptest.NewRequest(http.MethodGet, "/v1/tables/t1", nil)
		r.Header.Set("Authorization", token)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != 200 {
			b.Fatal(w.Body)
		}
	}
}
