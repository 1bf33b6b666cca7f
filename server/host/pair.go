package host

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"strings"
	"time"

	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"github.com/hantei/hantei/server/auth"
	"github.com/hantei/hantei/server/store"
)

// codeLife is how long a pairing code works.
const codeLife = 10 * time.Minute

// maxTokens is the most tokens of a seat with which it still gets a code.
const maxTokens = 20

// How often pairing may be tried, by all together: so many times at once, and so
// many times a second then. In the ten minutes of a code that makes 2^16 guesses
// of 2^39, from however many addresses they come. Each address is held to much
// less before a guess comes here.
const (
	triesAtOnce    = 200
	triesPerSecond = 100
)

// codeLength is how many characters a pairing code has.
const codeLength = 8

// codeAlphabet has neither letters and digits that look alike nor U. Its 30
// characters make 30^8 codes, about 2^39: few against a thief of the store, so
// their hashes have a key, and enough against guessing, which is slowed down and
// has ten minutes.
const codeAlphabet = "23456789ABCDEFGHJKMNPQRSTVWXYZ"

// Code is a pairing code.
type Code struct {
	// Text is what is shown, XXXX-XXXX; empty if there is none.
	Text string
	// ExpireTimeMS is from when on it does not work, in milliseconds since 1970,
	// UTC.
	ExpireTimeMS int64
}

// codeOf makes a code of 64 random bits. That some codes are likelier than others
// by one in 2^24 helps nobody.
func codeOf(random uint64) string {
	var b [codeLength + 1]byte
	for i := range b {
		if i == codeLength/2 {
			b[i] = '-'
			continue
		}
		b[i] = codeAlphabet[random%uint64(len(codeAlphabet))]
		random /= uint64(len(codeAlphabet))
	}
	return string(b[:])
}

func (k *keys) newCode(now int64) Code {
	var b [8]byte
	rand.Read(b[:]) // never fails
	return Code{Text: codeOf(binary.BigEndian.Uint64(b[:])), ExpireTimeMS: now + codeLife.Milliseconds()}
}

// firstCode is the code with which a seat is made. Like its token, whoever
// repeats the request gets the same one, although it may have been used. There is
// none for a seat of unknown time, which was made before there were codes.
func (k *keys) firstCode(scope string, by Caller, r Request, made int64) Code {
	switch {
	case made == 0:
		return Code{}
	case r.ID == "":
		return k.newCode(made)
	}
	m := mac(k.codes, scope, by.principal(), r.ID, string(r.Hash[:]))
	return Code{Text: codeOf(binary.BigEndian.Uint64(m)), ExpireTimeMS: made + codeLife.Milliseconds()}
}

// pairing is what is kept of a code.
func (k *keys) pairing(c Code, replace bool) *store.Pairing {
	return &store.Pairing{Code: k.codeHash(c.Text), Replace: replace, ExpireTimeMS: c.ExpireTimeMS}
}

// codeHash is the hash of a code as somebody typed it.
func (k *keys) codeHash(typed string) store.Hash {
	code := strings.Map(func(r rune) rune {
		switch {
		case r == '-' || r == ' ':
			return -1
		case 'a' <= r && r <= 'z':
			return r - 'a' + 'A'
		}
		return r
	}, typed)
	return store.Hash(mac(k.pairs, code))
}

// PairingCode makes a pairing code for a seat. The seat itself, the GM and the
// admin may. When the code is used, the seat's other tokens die if replace is
// true.
func (h *Host) PairingCode(ctx context.Context, by Caller, seat string, replace bool) (Code, error) {
	return ask(ctx, h, by.Table, func(t *table) (Code, error) {
		if refusal := t.mayPair(by, seat); refusal != nil {
			return Code{}, refusal
		}
		tokens, err := h.store.Tokens(ctx, seat)
		if err != nil {
			return Code{}, err
		}
		if len(tokens) >= maxTokens && !replace {
			return Code{}, tooLarge("").Say("most_tokens", rule.Number("most", maxTokens))
		}
		now := h.now().UnixMilli()
		for {
			code := h.keys.newCode(now)
			err := h.store.SavePairing(context.WithoutCancel(ctx), seat, *h.keys.pairing(code, replace), now)
			if errors.Is(err, store.ErrExists) {
				continue // another seat has it
			}
			return code, err
		}
	})
}

func (t *table) mayPair(by Caller, seat string) *rule.Refusal {
	if !by.Admin {
		s, refusal := t.sit(by)
		if refusal != nil {
			return refusal
		}
		if !s.gm() && seat != by.Seat {
			// Everybody may know the seats: ListSeats has them.
			if _, refusal := t.seated(seat, "seat_id"); refusal != nil {
				return refusal
			}
			return notYours("seat_id").Say("gm_makes_codes")
		}
	}
	_, refusal := t.seated(seat, "seat_id")
	return refusal
}

// Paired is what a pairing code was exchanged for.
type Paired struct {
	Table string
	Seat  *tablev1.Seat
	Token string
}

// Pair exchanges a pairing code for a token. Anybody may; if it is tried too often,
// everybody is refused whatever the code. What is wrong, used or expired is not
// found, and all that is done to find that out is to look for a hash.
func (h *Host) Pair(ctx context.Context, code, name string) (Paired, error) {
	if name != "" {
		if refusal := checkName("name", name); refusal != nil {
			return Paired{}, &Refused{Refusal: refusal}
		}
	}
	now := h.now()
	if !h.tries.AllowN(now, 1) {
		return Paired{}, &Refused{Refusal: tooMany()}
	}
	token := auth.NewToken(auth.KindSeat)
	row, kept, err := h.store.Pair(ctx, h.keys.codeHash(code), store.Token{
		Hash: store.Hash(auth.HashToken(token)), Name: name, CreateTimeMS: now.UnixMilli(),
	})
	switch {
	case errors.Is(err, store.ErrNotFound):
		return Paired{}, &Refused{Refusal: notFound("code")}
	case err != nil:
		h.tokens.forget() // it may have been exchanged all the same
		return Paired{}, err
	}
	seat, err := seatOf(row)
	if err != nil {
		return Paired{}, err
	}
	out := Paired{Table: row.TableID, Seat: seat, Token: token}
	if !kept.Replace {
		return out, nil
	}
	h.tokens.forget()
	// What was begun with the old tokens ends. The new one is good whatever
	// becomes of this.
	_, err = ask(context.WithoutCancel(ctx), h, row.TableID, func(t *table) (struct{}, error) {
		m := t.present()
		m.Left = row.ID
		t.host.tell.Publish(m)
		return struct{}{}, nil
	})
	if err != nil {
		h.log.ErrorContext(ctx, "streams of replaced tokens go on", "table", row.TableID, "seat", row.ID, "cause", err)
	}
	return out, nil
}
