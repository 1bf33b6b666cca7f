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
	creds := insecure.NewCredentials()
	if secure != nil {
		creds = credentials.NewTLS(secure)
	}
	s := grpc.NewServer(
		grpc.Creds(creds),
		grpc.UnaryInterceptor(chain.Unary),
		grpc.StreamInterceptor(chain.Stream),
		grpc.MaxRecvMsgSize(cfg.MaxBody),
		// Finds out about clients that vanished without a word, whose streams
		// would otherwise stay.
		grpc.KeepaliveParams(keepalive.ServerParameters{Time: time.Minute, Timeout: 20 * time.Second}),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: 10 * time.Second, PermitWithoutStream: true}),
	)
	services.register(s)
	grpc_health_v1.RegisterHealthServer(s, h)
	reflection.Register(s)
	return s
}

// inProcess is the way from the HTTP server to the services: the same
// interceptors, no second connection, no second TLS.
func inProcess(chain interceptor.Interceptor, services Services) grpc.ClientConnInterface {
	c := new(inprocgrpc.Channel).
		WithServerUnaryInterceptor(chain.Unary).
		WithServerStreamInterceptor(chain.Stream)
	services.register(c)
	return c
}
