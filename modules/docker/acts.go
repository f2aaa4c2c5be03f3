package docker

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
)

func (c *client) start(ctx context.Context, id string) error {
	_, err := c.call(ctx, http.MethodPost, "/containers/"+url.PathEscape(id)+"/start", nil)
	return err
}

// stop stops a container, which may take some seconds; nil for as many as it says itself.
func (c *client) stop(ctx context.Context, id string, seconds *int) error {
	query := ""
	if seconds != nil {
		query = fmt.Sprintf("?t=%d", *seconds)
	}
	_, err := c.call(ctx, http.MethodPost, "/containers/"+url.PathEscape(id)+"/stop"+query, nil)
	return err
}

func (c *client) remove(ctx context.Context, id string, force bool) error {
	_, err := c.call(ctx, http.MethodDelete, fmt.Sprintf("/containers/%s?force=%t", url.PathEscape(id), force), nil)
	if missing(err) && force {
		return nil
	}
	return err
}
