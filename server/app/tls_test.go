package app_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/app"
	"github.com/hantei/hantei/server/config"
)

// writeCert writes a certificate for this machine, signed by itself, into dir.
func writeCert(t *testing.T, dir string, serial int64) (cert, key string) {
	t.Helper()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(serial), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, k.Public(), k)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(k)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for name, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "PRIVATE KEY", Bytes: pkcs8}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}

func readRoots(t *testing.T, cert string) *x509.CertPool {
	t.Helper()
	b, err := os.ReadFile(cert)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(b)
	return roots
}

func withTLS(t *testing.T, dir string) func(*config.Server) {
	return func(c *config.Server) { c.TLSCert, c.TLSKey = writeCert(t, dir, 1) }
}

func TestTLS(t *testing.T) {
	s := start(t, withTLS(t, t.TempDir()), withMetrics)
	if a := s.get("/v1/tables/t1"); a.StatusCode != 200 || a.ProtoMajor != 2 || a.TLS.Version < tls.VersionTLS12 {
		t.Errorf("%s %s %s", a.Proto, a.Status, a.body)
	}
	old := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{RootCAs: s.roots, NextProtos: []string{"http/1.1"}}}}
	if resp, err := old.Get(s.url + "/readyz"); err != nil || resp.StatusCode != 200 || resp.ProtoMajor != 1 {
		t.Errorf("HTTP/1.1: %v, %v", resp, err)
	} else {
		resp.Body.Close()
	}
	if _, err := hanteiv1.NewPlayServiceClient(s.conn).GetView(s.ctx(), &hanteiv1.GetViewRequest{TableId: "t1"}); err != nil {
		t.Errorf("gRPC: %v", err)
	}
	if code, _ := s.watchdog("/readyz"); code != 200 { // in the clear
		t.Errorf("probe: %d", code)
	}
	plain := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := plain.Get("http://" + s.app.HTTPAddr().String() + "/v1/rulesets")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != 400 {
		t.Errorf("in the clear: %d", resp.StatusCode)
	}

	// More streams than a browser has connections, on one connection, and all end well.
	var streams []func() string
	for range 8 {
		_, next := s.lines(t.Context(), "/v1/watch?table_id=quiet&cursor=c", "Accept: text/event-stream")
		for range 4 {
			next()
		}
		streams = append(streams, next)
	}
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	for _, next := range streams {
		if id, event := next(), next(); id != "id: c1" || event != "event: end" {
			t.Errorf("%s %s", id, event)
		}
	}
}

// A renewed certificate is used without a restart; one that cannot be used is not.
func TestCertificateReload(t *testing.T) {
	dir := t.TempDir()
	s := start(t, withTLS(t, dir))
	serial := func(addr net.Addr) int64 {
		c, err := tls.Dial("tcp", addr.String(), &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"h2"}})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		return c.ConnectionState().PeerCertificates[0].SerialNumber.Int64()
	}
	both := func(want int64) func() bool {
		return func() bool { return serial(s.app.GRPCAddr()) == want && serial(s.app.HTTPAddr()) == want }
	}
	if !both(1)() {
		t.Fatal("not the first certificate")
	}
	writeCert(t, dir, 2)
	s.eventually("the second certificate", both(2))
	if err := os.WriteFile(filepath.Join(dir, "key.pem"), []byte("half a k"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.eventually("the fault is logged", func() bool {
		return both(2)() && strings.Contains(s.log.String(), "cannot be used")
	})
	writeCert(t, dir, 3)
	s.eventually("the third certificate", both(3))
}

func TestTLSNeedsAGoodCertificate(t *testing.T) {
	dir := t.TempDir()
	cert, _ := writeCert(t, dir, 1)
	other, key := writeCert(t, t.TempDir(), 2)
	for _, files := range [][2]string{{cert, key}, {other, dir + "/none.pem"}, {dir + "/none.pem", key}} {
		cfg := config.Server{
			GRPCAddr: "127.0.0.1:0", HTTPAddr: "127.0.0.1:0", DB: "x", MaxBody: 64 << 10, Heartbeat: time.Second,
			TLSCert: files[0], TLSKey: files[1],
		}
		_, err := app.New(cfg, app.Deps{Services: fakes(&fakePlay{}), Log: slog.New(slog.DiscardHandler), Store: &fakeStore{}})
		if err == nil || !strings.Contains(err.Error(), "TLS") {
			t.Errorf("%v: %v", files, err)
		}
	}
}
