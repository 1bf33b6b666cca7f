package gateway

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// route is a path of the API, as the protos declare it.
type route struct {
	method   string   // GET
	segments []string // "v1", "tables", "{table_id}"
	verb     string   // "act", after a colon
	call     protoreflect.MethodDescriptor
	input    protoreflect.MessageType
	hasBody  bool
}

// routes knows the API's paths before the mux does, which tells little of what
// it does not find: which methods a path has, which fields a query may have,
// whether an answer will be a stream.
type routes []route

// allRoutes reads the annotations of the protos.
func allRoutes() (routes, error) {
	var rs routes
	for _, s := range services {
		for i := range s.file.Services().Len() {
			methods := s.file.Services().Get(i).Methods()
			for j := range methods.Len() {
				rule, _ := proto.GetExtension(methods.Get(j).Options(), annotations.E_Http).(*annotations.HttpRule)
				for _, r := range append([]*annotations.HttpRule{rule}, rule.GetAdditionalBindings()...) {
					parsed, err := newRoute(methods.Get(j), r)
					if err != nil {
						return nil, err
					}
					rs = append(rs, parsed)
				}
			}
		}
	}
	return rs, nil
}

// newRoute reads one annotation. Only what the protos use is understood: plain
// variables, the whole message as the body.
func newRoute(call protoreflect.MethodDescriptor, rule *annotations.HttpRule) (route, error) {
	input, err := protoregistry.GlobalTypes.FindMessageByName(call.Input().FullName())
	if err != nil {
		return route{}, fmt.Errorf("%s: %w", call.FullName(), err)
	}
	r := route{call: call, input: input, hasBody: rule.GetBody() == "*"}
	var path string
	switch p := rule.GetPattern().(type) {
	case *annotations.HttpRule_Get:
		r.method, path = http.MethodGet, p.Get
	case *annotations.HttpRule_Post:
		r.method, path = http.MethodPost, p.Post
	case *annotations.HttpRule_Put:
		r.method, path = http.MethodPut, p.Put
	case *annotations.HttpRule_Patch:
		r.method, path = http.MethodPatch, p.Patch
	case *annotations.HttpRule_Delete:
		r.method, path = http.MethodDelete, p.Delete
	}
	path, r.verb, _ = strings.Cut(path, ":")
	if path == "" || strings.ContainsAny(path, "*=") || rule.GetBody() != "" && !r.hasBody {
		return route{}, fmt.Errorf("%s: its HTTP annotation is of a kind that the gateway does not know", call.FullName())
	}
	r.segments = strings.Split(strings.TrimPrefix(path, "/"), "/")
	return r, nil
}

// matches says whether a path is the route's, whatever the method. A variable
// takes one segment, not empty and without a colon: no id has one, and behind it
// stands a verb.
func (r route) matches(path string) bool {
	if r.verb != "" {
		var ok bool
		if path, ok = strings.CutSuffix(path, ":"+r.verb); !ok {
			return false
		}
	}
	segments := strings.Split(strings.TrimPrefix(path, "/"), "/")
	return slices.EqualFunc(r.segments, segments, func(want, got string) bool {
		if variable(want) != "" {
			return got != "" && !strings.Contains(got, ":")
		}
		return want == got
	})
}

// variable returns the name of a segment that is one, or "".
func variable(segment string) string {
	if name, ok := strings.CutPrefix(segment, "{"); ok {
		return strings.TrimSuffix(name, "}")
	}
	return ""
}

// find returns the route of a request, or the methods that its path has.
func (rs routes) find(method, path string) (found *route, allowed []string) {
	for i := range rs {
		if !rs[i].matches(path) {
			continue
		}
		if rs[i].method == method {
			return &rs[i], nil
		}
		allowed = append(allowed, rs[i].method)
	}
	slices.Sort(allowed)
	return nil, slices.Compact(allowed)
}

// handler refuses what has no route or a wrong query, and prepares the rest.
func (rs routes) handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		found, allowed := rs.find(r.Method, r.URL.Path)
		switch {
		case found == nil && len(allowed) == 0:
			newProblem(codes.NotFound, 0, reasonPathUnknown, sentence{}).write(w, r)
			return
		case found == nil:
			methodNotAllowed(w, r, strings.Join(allowed, ", "))
			return
		}
		// What a seat sees is nobody else's.
		w.Header().Set("Cache-Control", "no-store")
		if found.call.IsStreamingServer() {
			prepareStream(w, r)
		} else {
			r.Header.Del("Accept") // JSON it is
		}
		if p := checkQuery(found, r.URL); p != nil {
			p.write(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func methodNotAllowed(w http.ResponseWriter, r *http.Request, allowed string) {
	w.Header().Set("Allow", allowed)
	newProblem(codes.Unimplemented, http.StatusMethodNotAllowed, reasonMethodNotAllowed,
		sentence{values: map[string]string{"method": shorten(r.Method), "allowed": allowed}}).write(w, r)
}
