// Package metrics turns the statistics of pools into figures with a name and
// labels. Its packages prom and otel show them in Prometheus and OpenTelemetry;
// a program needs this package itself only to say which pools are meant.
//
// # Figures
//
// In Prometheus the names begin with poolproof_ and end with their unit, as in
// poolproof_gets_total and poolproof_in_use_bytes; in OpenTelemetry they begin
// with poolproof. and have their unit beside them. The labels are
//
//   - pool: the name of the pool. Pools of the same name are added up.
//
//   - class: the size of a buffer in bytes, or oversize for those above
//     Options.Max. Objects of package pool have no class, and the label is empty
//     (Prometheus) or absent (OpenTelemetry).
//
//   - reason: why something was dropped: keep, max_size, underused, abandoned and
//     twice for package pool, oversize and abandoned for package buffer; see
//     pool.Drops and buffer.Drops.
//
//   - state: of the values of package hotswap: current, retired, free or draft.
//
// Pipelines of package systems/flow have figures too, if their Watch is a source
// (see [Stages]): poolproof_stage_values_total and others, with the labels pipeline
// and stage.
//
// What a pool does not know is left out: a 0 is a count. Below the level Uses
// there is no gets and no waste; below the level Leaks nothing is in use and
// nothing lost. Of pools of one name a figure is left out if one of them does not
// know it: so quotients of two figures are those of the same pools. A class that was never used has no figures. When a pool is
// collected its figures are gone; if it shared its name, the sum falls, which a
// counter shows as a restart.
//
// # Cost
//
// Nothing happens before figures are asked for. Reading goes through the counters of
// each class of each pool: with the default classes a buffer pool that uses all
// of them has 57 series of each metric that has a class.
package metrics
