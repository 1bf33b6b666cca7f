package main

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// signed is a certificate with its key, and the files of both.
type signed struct {
	cert, key string
	made      *x509.Certificate
	signer    *ecdsa.PrivateKey
}

// sign makes a certificate for a name or an address, by a signer or, with none, by
// itself.
func sign(t *testing.T, name string, by *signed) *signed {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), NotAfter: time.Now().Add(time.Hour),
		IsCA: by == nil, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature,
	}
	if by == nil {
		template.KeyUsage |= x509.KeyUsageCertSign
	}
	if ip := net.ParseIP(name); ip != nil {
		template.IPAddresses = []net.IP{ip}
	} else {
		template.DNSNames = []string{name}
	}
	parent, signer := template, key
	if by != nil {
		parent, signer = by.made, by.signer
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), signer)
	if err != nil {
		t.Fatal(err)
	}
	made, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	s := &signed{filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem"), made, key}
	chain := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	if by != nil {
		chain = append(chain, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: by.made.Raw})...)
	}
	for file, b := range map[string][]byte{s.cert: chain, s.key: pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs8})} {
		if err := os.WriteFile(file, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// The health of a server with TLS is told to those who know its certificate or who
// has signed it, and not to others.
func TestHealthTLS(t *testing.T) {
	ca := sign(t, "ca.example", nil)
	there, elsewhere := sign(t, "127.0.0.1", ca), sign(t, "*.hantei.example", ca)
	alone := sign(t, "hantei.example", nil)
	for name, c := range map[string]struct {
		server *signed
		flags  []string
		want   string // "" for ready
	}{
		"its own certificate":                {there, []string{"--tls-cert", there.cert}, ""},
		"its own, of another name":           {elsewhere, []string{"--tls-cert", elsewhere.cert}, ""},
		"its own, signed by itself":          {alone, []string{"--tls-cert", alone.cert}, ""},
		"who signed it":                      {there, []string{"--tls-ca", ca.cert}, ""},
		"who signed it, of another name":     {elsewhere, []string{"--tls-ca", ca.cert}, "certificate"},
		"another's certificate":              {there, []string{"--tls-cert", elsewhere.cert}, "certificate"},
		"another of the name, by itself":     {alone, []string{"--tls-cert", sign(t, "hantei.example", nil).cert}, "certificate"},
		"somebody else":                      {there, []string{"--tls-ca", alone.cert}, "certificate"},
		"the system, which does not know it": {there, nil, "certificate"},
		"a file without a certificate":       {there, []string{"--tls-ca", there.key}, "no certificate"},
		"a certificate's file without one":   {there, []string{"--tls-cert", there.key}, "no certificate"},
		"both":                               {there, []string{"--tls-cert", there.cert, "--tls-ca", ca.cert}, "one is enough"},
		"a file that is not there":           {there, []string{"--tls-ca", "nowhere.pem"}, "nowhere.pem"},
	} {
		t.Run(name, func(t *testing.T) {
			s := fresh(t, "HANTEI_TLS_CERT="+c.server.cert, "HANTEI_TLS_KEY="+c.server.key)
			flags := append([]string{"health", "--addr", "https://" + s.http}, c.flags...)
			ready := func() (code int, why string) {
				var stdout, stderr bytes.Buffer
				code = run(t.Context(), flags, &stdout, &stderr)
				return code, stderr.String()
			}
			code, why := ready()
			if c.want != "" {
				if code != 1 || !strings.Contains(why, c.want) {
					t.Errorf("%d, %q, want %q", code, why, c.want)
				}
				return
			}
			for end := time.Now().Add(10 * time.Second); code != 0 && strings.Contains(why, "503") && time.Now().Before(end); {
				code, why = ready() // it has just begun to look after its store
			}
			if code != 0 {
				t.Errorf("%d, %q", code, why)
			}
		})
	}
}
