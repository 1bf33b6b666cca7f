// Command go is a seat at a Hantei table in a terminal: it pairs by a code, tells
// what happens, and takes what is typed.
//
//	go run ./server/docs/examples/go --server 127.0.0.1:50051 --code ABCD-EFGH
//
// A number answers the question that is open, "?" lists what can be done, "do 3
// thug" does the third of it with its inputs, and anything else is thrown as dice:
// "2d6+3".
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

func main() {
	server := flag.String("server", "127.0.0.1:50051", "the server's gRPC address")
	code := flag.String("code", "", "the pairing code that the GM gave you")
	flag.Parse()
	if err := play(context.Background(), *server, *code, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// seat is who plays, and what was shown last.
type seat struct {
	hanteiv1.PlayServiceClient
	table string
	actor string
	out   io.Writer

	mu      sync.Mutex
	prompts []*tablev1.PromptView
	offers  []*tablev1.OfferView
}

// play pairs and plays until there is nothing more to read.
func play(ctx context.Context, server, code string, in io.Reader, out io.Writer) error {
	// A server with TLS takes credentials.NewTLS here.
	conn, err := grpc.NewClient(server, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return err
	}
	defer conn.Close()
	paired, err := hanteiv1.NewSeatServiceClient(conn).PairSeat(ctx, &hanteiv1.PairSeatRequest{Code: code, Name: "terminal"})
	if err != nil {
		return err
	}
	// The token goes with every call. A program that is started again keeps it:
	// the code works once.
	ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+paired.Token, "accept-language", "en")
	s := &seat{PlayServiceClient: hanteiv1.NewPlayServiceClient(conn), table: paired.TableId, out: out}
	cursor, err := s.look(ctx)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- s.watch(ctx, cursor) }()

	lines := bufio.NewScanner(in)
	for lines.Scan() {
		if err := s.take(ctx, strings.TrimSpace(lines.Text())); err != nil {
			// A refusal: nothing happened, and the words say why.
			fmt.Fprintln(out, "!", status.Convert(err).Message())
		}
	}
	cancel()
	if err := <-ended; ctx.Err() == nil {
		return err
	}
	return lines.Err()
}

// look shows who is there, and returns where to go on from.
func (s *seat) look(ctx context.Context) (cursor string, err error) {
	r, err := s.GetView(ctx, &hanteiv1.GetViewRequest{TableId: s.table})
	if err != nil {
		return "", err
	}
	for _, c := range r.View.Characters {
		mark := " "
		if c.Yours {
			s.actor, mark = c.Id, "*"
		}
		fmt.Fprintf(s.out, "%s %s (%s)\n", mark, c.Name, c.Id)
	}
	s.mu.Lock()
	s.offers = r.View.Offers
	s.mu.Unlock()
	s.ask(r.View.Prompts)
	return r.View.Cursor, nil
}

// watch tells what happens. A stream that breaks goes on from its last cursor.
func (s *seat) watch(ctx context.Context, cursor string) error {
	stream, err := s.Watch(ctx, &hanteiv1.WatchRequest{TableId: []string{s.table}, Cursor: cursor})
	if err != nil {
		return err
	}
	for {
		frame, err := stream.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		for _, e := range frame.Events {
			if text := e.GetText().GetText(); text != "" {
				fmt.Fprintln(s.out, text)
			}
		}
		if frame.PromptsTold {
			s.ask(frame.Prompts)
		}
		if frame.OffersChanged {
			r, err := s.ListOffers(ctx, &hanteiv1.ListOffersRequest{TableId: s.table})
			if err != nil {
				return err
			}
			s.mu.Lock()
			s.offers = r.Offers
			s.mu.Unlock()
		}
	}
}

// ask shows the questions that are open now.
func (s *seat) ask(prompts []*tablev1.PromptView) {
	s.mu.Lock()
	s.prompts = prompts
	s.mu.Unlock()
	for _, p := range prompts {
		fmt.Fprintln(s.out, "?", p.GetText().GetText())
		for i, c := range p.Choices {
			if c.Possible {
				fmt.Fprintf(s.out, "  %d. %s\n", i+1, c.Text)
			}
		}
	}
}

// take does what was typed.
func (s *seat) take(ctx context.Context, line string) error {
	s.mu.Lock()
	prompts, offers := s.prompts, s.offers
	s.mu.Unlock()
	words := strings.Fields(line)
	if len(words) == 0 {
		return nil
	}
	if n, err := strconv.Atoi(words[0]); err == nil && len(prompts) > 0 {
		p := prompts[0]
		if n < 1 || n > len(p.Choices) {
			return fmt.Errorf("1 to %d", len(p.Choices))
		}
		_, err := s.Answer(ctx, &hanteiv1.AnswerRequest{
			TableId: s.table, PromptId: p.Id,
			Answers: []*hanteiv1.SlotAnswer{{How: &hanteiv1.SlotAnswer_Choice{Choice: p.Choices[n-1].Id}}},
		})
		return err
	}
	switch words[0] {
	case "?":
		for i, o := range offers {
			if o.Possible && !o.Form {
				fmt.Fprintf(s.out, "  %d. %s %s\n", i+1, o.Text, inputs(o))
			}
		}
		return nil
	case "do":
		return s.do(ctx, offers, words[1:])
	}
	_, err := s.Roll(ctx, &hanteiv1.RollRequest{TableId: s.table, Actor: s.actor, Formula: line})
	return err
}

// inputs are what an offer leaves to fill in.
func inputs(o *tablev1.OfferView) string {
	var out []string
	for _, in := range o.Inputs {
		if in.MinCount > 0 {
			out = append(out, "<"+in.Text+">")
		}
	}
	return strings.Join(out, " ")
}

// do takes an offer by its number, with the values of the inputs that it needs.
func (s *seat) do(ctx context.Context, offers []*tablev1.OfferView, words []string) error {
	n := 0
	if len(words) > 0 {
		n, _ = strconv.Atoi(words[0])
	}
	if n < 1 || n > len(offers) {
		return errors.New("do what? ? lists it")
	}
	o := offers[n-1]
	choice := &hanteiv1.OfferChoice{OfferId: o.Id}
	words = words[1:]
	for _, in := range o.Inputs {
		if in.MinCount == 0 {
			continue
		}
		if len(words) == 0 {
			return fmt.Errorf("which %s?", in.Text)
		}
		choice.Values = append(choice.Values, &tablev1.Value{Name: in.Name, Values: words[:1]})
		words = words[1:]
	}
	_, err := s.Act(ctx, &hanteiv1.ActRequest{TableId: s.table, What: &hanteiv1.ActRequest_Offer{Offer: choice}})
	return err
}
