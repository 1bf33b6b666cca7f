package gateway

import (
	"errors"
	"io"
	"net/http"
	"strconv"

	"google.golang.org/grpc/codes"
)

// body is a request's body. It carries what is wrong with it from the decoder to
// the error handler, past the generated code between them, which keeps only the
// error's text.
type body struct {
	io.ReadCloser
	refusal *problem
}

// limitBody refuses bodies that are too large: those that say so before they are
// read, the others when they get there.
func limitBody(limit int64, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength > limit {
			w.Header().Set("Connection", "close") // rather than read it all
			tooLarge(limit).write(w, r)
			return
		}
		r.Body = &body{ReadCloser: http.MaxBytesReader(w, r.Body, limit)}
		next.ServeHTTP(w, r)
	})
}

// readAll reads the body for the decoder.
func (b *body) readAll() ([]byte, error) {
	data, err := io.ReadAll(b.ReadCloser)
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, b.refuse(tooLarge(large.Limit))
	case err != nil:
		return nil, b.refuse(newProblem(codes.InvalidArgument, 0, reasonInvalidBody, sentence{detail: "body_broken"}))
	}
	return data, nil
}

// refuse keeps a problem for the error handler.
func (b *body) refuse(p *problem) error {
	b.refusal = p
	return p
}

func tooLarge(limit int64) *problem {
	return newProblem(codes.ResourceExhausted, http.StatusRequestEntityTooLarge, reasonBodyTooLarge,
		sentence{"body_large", map[string]string{"limit": strconv.FormatInt(limit, 10)}})
}
