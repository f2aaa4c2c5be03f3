// Package roots finds files below the file roots: SLS files, templates, salt:// sources.
//
// Roots are searched in their order, the first hit wins. No path leaves its root: neither by "..", nor by a link. It only reads.
package roots
