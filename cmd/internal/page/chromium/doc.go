// Package chromium steers a headless Chromium for tests of pages: those of the build tag page.
package chromium
