package main

import (
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// endpoint is a method as REST has it.
type endpoint struct {
	name, verb, path string
	input            protoreflect.MessageDescriptor
	body             bool // whether it takes one
}

// endpoints lists every method of the contract, so that a new one is tested too.
func endpoints(t *testing.T) []endpoint {
	t.Helper()
	var out []endpoint
	protoregistry.GlobalFiles.RangeFilesByPackage("hantei.v1", func(f protoreflect.FileDescriptor) bool {
		for i := range f.Services().Len() {
			methods := f.Services().Get(i).Methods()
			for j := range methods.Len() {
				m := methods.Get(j)
				rule := proto.GetExtension(m.Options(), annotations.E_Http).(*annotations.HttpRule)
				e := endpoint{name: string(m.Name()), verb: "GET", path: rule.GetGet(), input: m.Input()}
				for verb, p := range map[string]string{"POST": rule.GetPost(), "PATCH": rule.GetPatch(), "DELETE": rule.GetDelete()} {
					if p != "" {
						e.verb, e.path, e.body = verb, p, rule.GetBody() != ""
					}
				}
				out = append(out, e)
			}
		}
		return true
	})
	if len(out) < 16 {
		t.Fatalf("only %d methods found", len(out))
	}
	return out
}

// problem is what an error looks like over REST.
type problem struct {
	Status, Reason, Domain, Field, Message string
}

// TestWrongInput sends every method what it cannot take: each is refused with a
// typed error that names the field, and the table is as it was.
func TestWrongInput(t *testing.T) {
	s := fresh(t)
	f := newFight(t, rest{s.http}, s.admin)
	before := f.view(f.gm).StateHash
	ids := regexp.MustCompile(`\{\w+\}`)
	for _, e := range endpoints(t) {
		token := f.gm
		switch e.name {
		case "CreateTable", "ListTables", "CreateBridge", "ListBridges", "DeleteBridge":
			token = s.admin
		}
		here := strings.NewReplacer("{table_id}", f.table, "{ruleset}", "coc", "{prompt_id}", "-", "{character_id}", "officer", "{seat_id}", "nobody", "{bridge_id}", "nobody").Replace(e.path)
		long := strings.Repeat("a", 2000)

		t.Run(e.name+"/unknown field", func(t *testing.T) {
			p := send(t, s, token, e.verb, here, `{"nonsense": 1}`, "nonsense=1")
			if p.Status != "INVALID_ARGUMENT" || p.Reason != "INVALID_FIELD" || p.Field != "nonsense" {
				t.Errorf("%+v", p)
			}
		})
		if ids.MatchString(e.path) {
			t.Run(e.name+"/unknown id", func(t *testing.T) {
				p := send(t, s, token, e.verb, ids.ReplaceAllString(e.path, "nobody"), minimal(e), minimalQuery(e))
				if p.Status != "NOT_FOUND" {
					t.Errorf("%+v", p)
				}
			})
			t.Run(e.name+"/huge id", func(t *testing.T) {
				p := send(t, s, token, e.verb, ids.ReplaceAllString(e.path, long), minimal(e), "")
				if p.Status != "INVALID_ARGUMENT" || p.Field == "" {
					t.Errorf("%+v", p)
				}
			})
		}
		if e.body {
			t.Run(e.name+"/oversized body", func(t *testing.T) {
				p := send(t, s, token, e.verb, here, `{"requestId": "`+strings.Repeat("a", 2<<20)+`"}`, "")
				if p.Status != "RESOURCE_EXHAUSTED" || p.Reason != "TOO_LARGE" {
					t.Errorf("%+v", p)
				}
			})
			t.Run(e.name+"/no JSON", func(t *testing.T) {
				if p := send(t, s, token, e.verb, here, `{"requestId": `, ""); p.Status != "INVALID_ARGUMENT" {
					t.Errorf("%+v", p)
				}
			})
		}
		for i := range e.input.Fields().Len() {
			field := e.input.Fields().Get(i)
			if field.Kind() != protoreflect.StringKind || field.IsList() || strings.Contains(e.path, "{"+string(field.Name())+"}") {
				continue
			}
			name := field.JSONName()
			t.Run(e.name+"/huge "+name, func(t *testing.T) {
				huge := strings.Repeat("a", 9000)
				p := send(t, s, token, e.verb, here, `{"`+name+`": "`+huge+`"}`, name+"="+huge)
				if p.Status != "INVALID_ARGUMENT" || p.Field == "" {
					t.Errorf("%+v", p)
				}
			})
			t.Run(e.name+"/control characters in "+name, func(t *testing.T) {
				p := send(t, s, token, e.verb, here, `{"`+name+`": "a\u0007b"}`, name+"=a%07b")
				if p.Status != "INVALID_ARGUMENT" || p.Field == "" {
					t.Errorf("%+v", p)
				}
			})
		}
		if e.name != "ListRulesets" && e.name != "GetRuleset" && e.name != "ValidatePack" && e.name != "PairSeat" {
			t.Run(e.name+"/no token", func(t *testing.T) {
				if p := send(t, s, "", e.verb, here, minimal(e), ""); p.Status != "UNAUTHENTICATED" {
					t.Errorf("%+v", p)
				}
			})
		}
	}
	t.Run("too many dice", func(t *testing.T) {
		dice := strings.TrimSuffix(strings.Repeat(`"1D6=1",`, 51), ",")
		p := send(t, s, f.gm, "POST", "/v1/tables/"+f.table+":act", `{"actor": "thug", "action": {"coc": {"check": {"skill": "spot"}}}, "givenDice": [`+dice+`]}`, "")
		if p.Status != "INVALID_ARGUMENT" || p.Field != "given_dice" {
			t.Errorf("%+v", p)
		}
	})
	if after := f.view(f.gm).StateHash; after != before {
		t.Error("a refused request changed the table")
	}
}

// minimal is a body that the shape check lets pass, so that what is wrong is
// what the test made wrong.
func minimal(e endpoint) string {
	switch e.name {
	case "Act", "Preview":
		return `{"actor": "officer", "action": {"coc": {"endTurn": {}}}}`
	case "Answer":
		return `{"answers": [{"character": "officer", "choice": "none"}]}`
	case "Roll":
		return `{"actor": "officer", "formula": "1D6"}`
	case "Override":
		return `{"character": "officer", "operation": {"stat": {"key": "spot", "value": 1}}}`
	case "InviteSeat":
		return `{"name": "Somebody", "role": "SEAT_ROLE_PLAYER"}`
	case "CreateCharacter":
		return `{"sample": "thug"}`
	case "GiveDiceShare":
		return `{"share": "seven"}`
	case "ImportCharacter":
		return `{"content": "{\"kind\": \"character\", \"data\": {\"name\": \"Anna\"}}"}`
	case "CreateTable":
		return `{"name": "Table", "ruleset": "coc"}`
	case "CreateBridge":
		return `{"name": "Relay"}`
	case "AdmitBridge":
		return `{"bridgeId": "nobody", "allSeats": true}`
	case "ValidatePack":
		return `{"files": [{"name": "weapons.yaml", "yaml": ""}]}`
	}
	return `{}`
}

// minimalQuery is the same for what has no body.
func minimalQuery(e endpoint) string {
	if e.name == "ExportCharacter" {
		return "format=SHEET_FORMAT_CCFOLIA"
	}
	return ""
}

// send sends a request, with a body or a query as the verb has it, and returns the error.
func send(t *testing.T, s *child, token, verb, path, body, query string) problem {
	t.Helper()
	url := "http://" + s.http + path
	var content io.Reader
	if verb == "POST" || verb == "PATCH" {
		content = strings.NewReader(body)
	} else if query != "" {
		url += "?" + query
	}
	req, err := http.NewRequestWithContext(t.Context(), verb, url, content)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(io.LimitReader(res.Body, 10_000))
	if err != nil {
		t.Fatal(err)
	}
	if res.StatusCode == http.StatusOK {
		t.Fatalf("it was taken: %s", b)
	}
	var p problem
	if err := json.Unmarshal(b, &p); err != nil {
		t.Fatalf("%s: %v: %s", res.Status, err, b)
	}
	if p.Message == "" {
		t.Errorf("an error without words: %s", b)
	}
	return p
}

var _ hanteiv1.PlayServiceServer // its descriptors are registered
