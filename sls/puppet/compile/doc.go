// Package compile evaluates manifests of the Puppet language into a catalog, as Puppet 7's compiler does: scopes,
// classes, defined types, collectors, overrides, relationships, functions, Hiera and templates.
//
// It knows no state function and touches no machine: modules are read from the folders that it is given, facts are
// handed to it. What it makes is a Catalog; its faults are *syntax.Error, in Puppet's words.
package compile
