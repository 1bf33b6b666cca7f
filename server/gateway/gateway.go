package gateway

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/reflect/protoreflect"

	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
)

// Options are what the gateway needs.
type Options struct {
	// Conn leads to the services.
	Conn grpc.ClientConnInterface
	// MaxBody is the largest body, in bytes.
	MaxBody int64
	// WriteTimeout is how long a client may take to read one answer or frame.
	WriteTimeout time.Duration
	// Origins are those whose pages may call; none turns CORS off.
	Origins []string
	// Ready returns nil if the server can do its work.
	Ready func() error
	// Version is the program's.
	Version string
}

// services are all that the gateway serves: their protos, for the routes, and
// what connects them.
var services = []struct {
	file     protoreflect.FileDescriptor
	register func(context.Context, *runtime.ServeMux, grpc.ClientConnInterface) error
}{
	{hanteiv1.File_hantei_v1_ruleset_service_proto, register(hanteiv1.NewRulesetServiceClient, hanteiv1.RegisterRulesetServiceHandlerClient)},
	{hanteiv1.File_hantei_v1_table_service_proto, register(hanteiv1.NewTableServiceClient, hanteiv1.RegisterTableServiceHandlerClient)},
	{hanteiv1.File_hantei_v1_seat_service_proto, register(hanteiv1.NewSeatServiceClient, hanteiv1.RegisterSeatServiceHandlerClient)},
	{hanteiv1.File_hantei_v1_bridge_service_proto, register(hanteiv1.NewBridgeServiceClient, hanteiv1.RegisterBridgeServiceHandlerClient)},
	{hanteiv1.File_hantei_v1_character_service_proto, register(hanteiv1.NewCharacterServiceClient, hanteiv1.RegisterCharacterServiceHandlerClient)},
	{hanteiv1.File_hantei_v1_play_service_proto, register(hanteiv1.NewPlayServiceClient, hanteiv1.RegisterPlayServiceHandlerClient)},
}

// register joins the two generated functions of a service.
func register[C any](
	client func(grpc.ClientConnInterface) C, handler func(context.Context, *runtime.ServeMux, C) error,
) func(context.Context, *runtime.ServeMux, grpc.ClientConnInterface) error {
	return func(ctx context.Context, mux *runtime.ServeMux, conn grpc.ClientConnInterface) error {
		return handler(ctx, mux, client(conn))
	}
}

// New makes the handler of everything that is served over HTTP.
func New(o Options) (http.Handler, error) {
	mux := runtime.NewServeMux(
		runtime.WithMarshalerOption(runtime.MIMEWildcard, jsonCodec{}),
		runtime.WithMarshalerOption(mimeSSE, sseCodec{}),
		runtime.WithIncomingHeaderMatcher(incomingHeader),
		runtime.WithOutgoingHeaderMatcher(func(string) (string, bool) { return "", false }),
		runtime.WithOutgoingTrailerMatcher(func(string) (string, bool) { return "", false }),
		runtime.WithErrorHandler(handleError),
		runtime.WithStreamErrorHandler(maskFault),
		runtime.WithRoutingErrorHandler(handleRoutingError),
		// Ways to send a request as what it is not; nobody who can send JSON needs them.
		runtime.WithDisablePathLengthFallback(),
		runtime.WithDisableHTTPMethodOverride(),
	)
	conn := peekingConn{o.Conn}
	for _, s := range services {
		if err := s.register(context.Background(), mux, conn); err != nil {
			return nil, fmt.Errorf("gateway: %s: %w", s.file.Path(), err)
		}
	}
	rs, err := allRoutes()
	if err != nil {
		return nil, fmt.Errorf("gateway: %w", err)
	}
	who, err := serveVersion(o.Version)
	if err != nil {
		return nil, fmt.Errorf("gateway: %w", err)
	}
	document, err := openAPI()
	if err != nil {
		return nil, fmt.Errorf("gateway: %w", err)
	}

	root := http.NewServeMux()
	root.Handle("/", rs.handler(limitBody(o.MaxBody, mux)))
	root.Handle("/openapi.json", getOnly(serveOpenAPI(document)))
	root.Handle("/version", getOnly(who))
	Probes(root, o.Ready)

	// Outermost first: CORS answers preflights by itself; all other answers have
	// a request id and a deadline for each write.
	return withCORS(o.Origins, withRequestID(withWriteTimeout(o.WriteTimeout, root))), nil
}
