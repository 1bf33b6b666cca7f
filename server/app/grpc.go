package app

import (
	"crypto/tls"
	"time"

	"github.com/fullstorydev/grpchan/inprocgrpc"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/reflection"

	"github.com/hantei/hantei/server/config"
	"github.com/hantei/hantei/server/interceptor"
)

// newGRPC makes the gRPC server; secure may be nil.
func newGRPC(cfg config.Server, secure *tls.Config, chain interceptor.Interceptor, services Services, h *health.Server) *grpc.Server {
	s := grpc.NewServer(append(transport(cfg, secure),
		grpc.UnaryInterceptor(chain.Unary),
		grpc.StreamInterceptor(chain.Stream),
	)...)
	services.register(s)
	grpc_health_v1.RegisterHealthServer(s, h)
	reflection.Register(s)
	return s
}

// readBuffer is a few frames of most requests, in bytes.
const readBuffer = 8 << 10

// transport is how calls come over the wire, whatever becomes of them then.
func transport(cfg config.Server, secure *tls.Config) []grpc.ServerOption {
	creds := insecure.NewCredentials()
	if secure != nil {
		creds = credentials.NewTLS(secure)
	}
	return []grpc.ServerOption{
		grpc.Creds(creds),
		grpc.MaxRecvMsgSize(cfg.MaxBody),
		// What is kept for each connection, most of which watch and say nothing.
		grpc.ReadBufferSize(readBuffer),
		// Finds out about clients that vanished without a word, whose streams
		// would otherwise stay.
		grpc.KeepaliveParams(keepalive.ServerParameters{Time: time.Minute, Timeout: 20 * time.Second}),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: 10 * time.Second, PermitWithoutStream: true}),
	}
}

// inProcess is the way from the HTTP server to the services: the same
// interceptors, no second connection, no second TLS.
//
// Messages are handed over as they are, and not copied: the gateway makes a request
// for one call and only reads what comes back, and a service may keep parts of a
// request but changes none.
func inProcess(chain interceptor.Interceptor, services Services) grpc.ClientConnInterface {
	c := new(inprocgrpc.Channel).
		WithCloner(inprocgrpc.CloneFunc(func(m any) (any, error) { return m, nil })).
		WithServerUnaryInterceptor(chain.Unary).
		WithServerStreamInterceptor(chain.Stream)
	services.register(c)
	return c
}
