package x509

import (
	"context"
	"errors"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// PrivateKey keeps a private key.
type PrivateKey struct {
	Name string `arg:"name,required,path" doc:"The file of the key."`
	Placed
	Bits       int         `arg:"bits" alias:"keysize" doc:"The bits of the key: 2048, and 256 for ec, when not given."`
	Algo       string      `arg:"algo" default:"rsa" choices:"rsa|ec|ed25519" doc:"The algorithm."`
	Passphrase string      `arg:"passphrase,secret" doc:"What the key is encrypted with."`
	Cipher     string      `arg:"cipher" default:"aes_128_cbc" doc:"How it is encrypted."`
	New        bool        `arg:"new" doc:"A new key in every run; for a prereq of the certificate."`
	Overwrite  bool        `arg:"overwrite" doc:"Replaces a key that the passphrase does not open, or what is no key."`
	NoEffect   value.Value `arg:"verbose,text" alias:"text" doc:"No effect."`
}

func privateKeySpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "x509.private_key_managed",
		Doc:     "Keeps a private key. A new one can be read by its owner only, unless mode says otherwise.",
		Example: "/etc/pki/www.key:\n  x509.private_key_managed:\n    - algo: ec\n    - keysize: 384",
		New:     func() modules.StateFunc { return &PrivateKey{} }, AnyArgs: true,
	}
}

// Validate finds keys that there are not.
func (k *PrivateKey) Validate() (out []modules.Fault) {
	if _, ok := cipherOf(k.Cipher); !ok {
		out = append(out, modules.Fault{Arg: "cipher", Msg: fmt.Sprintf("%q is no cipher of private keys", k.Cipher),
			Hint: "take aes_256_cbc"})
	}
	bad := k.Bits != 0 && (k.Algo == "ed25519" || k.Algo == "ec" && k.Bits != 256 && k.Bits != 384 && k.Bits != 521 ||
		k.Algo == "rsa" && (k.Bits < 1024 || k.Bits > 16384))
	if bad {
		out = append(out, modules.Fault{Arg: "bits", Msg: fmt.Sprintf("there is no %s key of %d bits", k.Algo, k.Bits)})
	}
	if k.Algo == "ed25519" && k.Passphrase != "" {
		out = append(out, modules.Fault{Arg: "passphrase", Msg: "an encrypted key is of the algorithm rsa or ec"})
	}
	return out
}

// Act makes a key where there is none that fits.
func (k *PrivateKey) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	text, ok, err := there(h, k.Name)
	if err != nil {
		return state.Effect{}, err
	}
	fits := ok && !k.New
	if fits {
		if fits, err = k.fits(text); err != nil {
			return state.Effect{}, err
		}
	}
	if fits {
		return k.keep(ctx, env, h, k.Name)
	}
	// Salt differs: a new key is open to all unless mode says otherwise.
	if !ok && !k.Mode.Given {
		k := *k
		k.Mode = modules.Mode{Given: true, Bits: 0o400}
		return k.generate(ctx, env, h)
	}
	return k.generate(ctx, env, h)
}

func (k *PrivateKey) generate(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	e, err := k.anew(ctx, env, h, k.Name, true, func() (string, error) {
		env.Progress("make a private key")
		key, err := generate(k.Algo, k.Bits)
		if err != nil {
			return "", err
		}
		return encode(key, k.Passphrase, k.Cipher)
	})
	if e.Alters() {
		e.Changes, e.Once = value.DictOf("new", value.Str("New private key generated")), k.New
		e.Foretold = e.Changes
	}
	return e, err
}

// fits says whether a key is as it is to be.
func (k *PrivateKey) fits(text string) (bool, error) {
	key, err := parseKey(text, k.Passphrase)
	switch {
	case errors.Is(err, errPassphrase) && !k.Overwrite:
		return false, err
	case err != nil:
		return false, nil
	}
	bits := k.Bits
	if bits == 0 {
		bits = map[string]int{"rsa": 2048, "ec": 256, "ed25519": 256}[k.Algo]
	}
	return algoOf(key.Public()) == k.Algo && sizeOf(key.Public()) == bits, nil
}
