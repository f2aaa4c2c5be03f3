// Package web is the HTTP client that sources are fetched with.
package web

import (
	"context"
	"crypto/tls"
	"net/http"
)

type key struct{}

// Unverified is a context whose clients take any certificate: what `verify_ssl: false` asks for.
func Unverified(ctx context.Context) context.Context { return context.WithValue(ctx, key{}, true) }

// Client is the client for a context: the proxy of the environment, and certificates verified unless the context says
// that they need not be.
func Client(ctx context.Context) *http.Client {
	if ctx.Value(key{}) == nil {
		return http.DefaultClient
	}
	return &http.Client{Transport: &http.Transport{Proxy: http.ProxyFromEnvironment,
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
}
