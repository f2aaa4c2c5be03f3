package release

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// The media types of a release as an OCI image.
const (
	ArtifactType = "application/vnd.gostate.release.v1"
	typeManifest = "application/vnd.oci.image.manifest.v1+json"
	typeIndex    = "application/vnd.oci.image.index.v1+json"
	typeEmpty    = "application/vnd.oci.empty.v1+json"
	typeSigned   = "application/vnd.dsse.envelope.v1+json"
	typeTree     = "application/vnd.gostate.tree.v1.tar+gzip"
	typePillars  = "application/vnd.gostate.pillars.v1+json"
	typeShard    = "application/vnd.gostate.pillars.shard.v1+json"
	refName      = "org.opencontainers.image.ref.name"
)

func emptyConfig() []byte { return []byte("{}") }

// A Descriptor is OCI's: content by type, digest and size; Data is the content itself where it is small.
type Descriptor struct {
	MediaType string `json:"mediaType"`
	Blob
	Data         []byte            `json:"data,omitempty"`
	ArtifactType string            `json:"artifactType,omitempty"`
	Annotations  map[string]string `json:"annotations,omitempty"`
}

// A Manifest is OCI's image manifest. The first layer is the pointer, with its content.
type Manifest struct {
	SchemaVersion int               `json:"schemaVersion"`
	MediaType     string            `json:"mediaType"`
	ArtifactType  string            `json:"artifactType"`
	Config        Descriptor        `json:"config"`
	Layers        []Descriptor      `json:"layers"`
	Annotations   map[string]string `json:"annotations,omitempty"`
}

// NewManifest is a release as an image: all its blobs, so that a registry keeps them.
func NewManifest(r *Release, signed []byte, shards []Blob) ([]byte, error) {
	m := Manifest{SchemaVersion: 2, MediaType: typeManifest, ArtifactType: ArtifactType,
		Config: Descriptor{MediaType: typeEmpty, Blob: BlobOf(emptyConfig()), Data: emptyConfig()},
		Layers: []Descriptor{
			{MediaType: typeSigned, Blob: BlobOf(signed), Data: signed},
			{MediaType: typeTree, Blob: r.Tree},
			{MediaType: typePillars, Blob: r.Pillars},
		},
		Annotations: map[string]string{"org.opencontainers.image.version": fmt.Sprint(r.Sequence)},
	}
	for _, s := range shards {
		m.Layers = append(m.Layers, Descriptor{MediaType: typeShard, Blob: s})
	}
	return json.Marshal(m)
}

// ManifestPointer is the pointer that a manifest holds.
func ManifestPointer(manifest []byte) ([]byte, error) {
	var m Manifest
	if err := json.Unmarshal(manifest, &m); err != nil || m.ArtifactType != ArtifactType || len(m.Layers) == 0 ||
		m.Layers[0].MediaType != typeSigned || len(m.Layers[0].Data) == 0 {
		return nil, fmt.Errorf("it is no release: %.60q", manifest)
	}
	return m.Layers[0].Data, nil
}

type imageIndex struct {
	SchemaVersion int          `json:"schemaVersion"`
	MediaType     string       `json:"mediaType"`
	Manifests     []Descriptor `json:"manifests"`
}

// index is index.json with the release in it.
func (d Dir) index(p Push, manifest Blob) ([]byte, error) {
	data, err := os.ReadFile(d.at("index.json"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return indexWith(data, p, manifest)
}

func layoutFile() []byte { return []byte(`{"imageLayoutVersion":"1.0.0"}`) }

// indexWith is an index with the release in the place of the environment's earlier one.
func indexWith(old []byte, p Push, manifest Blob) ([]byte, error) {
	index := imageIndex{SchemaVersion: 2, MediaType: typeIndex}
	if len(old) > 0 {
		if err := json.Unmarshal(old, &index); err != nil {
			return nil, fmt.Errorf("read index.json: %w", err)
		}
	}
	all := []Descriptor{{MediaType: typeManifest, Blob: manifest, ArtifactType: ArtifactType,
		Annotations: map[string]string{refName: p.Release.Env}}}
	for _, m := range index.Manifests {
		if m.Annotations[refName] != p.Release.Env {
			all = append(all, m)
		}
	}
	index.Manifests = all
	return json.Marshal(index)
}
