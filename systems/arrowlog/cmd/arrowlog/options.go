package main

import (
	"encoding/csv"
	"flag"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/systems/arrowlog"
)

// encoderFlags are the flags of what is written.
type encoderFlags struct {
	compression, dictionary, sort string
	rows, rowGroup, maxColumns    int
	bloom                         string
}

var (
	compressions = []string{"zstd", "zstd-fastest", "zstd-better", "snappy", "none"}
	dictionaries = []string{"auto", "low", "none"} // low needs a schema, which no file here has
)

func (e *encoderFlags) define(f *flag.FlagSet) {
	f.StringVar(&e.compression, "compression", compressions[0], "`codec` of Parquet pages: "+strings.Join(compressions, ", "))
	f.StringVar(&e.dictionary, "dictionary", dictionaries[0], "`mode` of dictionaries for text: auto or none")
	f.StringVar(&e.sort, "sort", "", "`column` by which the rows of each file are sorted")
	f.StringVar(&e.bloom, "bloom", "", "`columns` that get Bloom filters, so that looking for one value skips row groups; separated by commas")
	f.IntVar(&e.rowGroup, "row-group", 100_000, "largest `number` of rows in a row group, of which a query reads all or none")
	f.IntVar(&e.maxColumns, "max-columns", 500, "`number` of columns from which on others go into the column rest_json")
	f.IntVar(&e.rows, "rows", 1_000_000, "largest `number` of rows in a file")
}

// options checks the flags.
func (e *encoderFlags) options() (arrowlog.Options, error) {
	o := arrowlog.Options{SortBy: e.sort, InvalidUTF8: arrowlog.ReplaceInvalid}
	compression, dictionary := slices.Index(compressions, e.compression), slices.Index(dictionaries, e.dictionary)
	switch {
	case compression < 0:
		return o, usagef("-compression %q: want one of %s", e.compression, strings.Join(compressions, ", "))
	case dictionary < 0:
		return o, usagef("-dictionary %q: want one of %s", e.dictionary, strings.Join(dictionaries, ", "))
	case e.rowGroup <= 0:
		return o, usagef("-row-group %d: want a number above 0", e.rowGroup)
	case e.maxColumns <= 0:
		return o, usagef("-max-columns %d: want a number above 0", e.maxColumns)
	case e.rows <= 0:
		return o, usagef("-rows %d: want a number above 0", e.rows)
	}
	o.Compression, o.Dictionary = arrowlog.Compression(compression), arrowlog.Dictionary(dictionary)
	o.RowGroup, o.MaxColumns = e.rowGroup, e.maxColumns
	bloom, err := splitColumns(e.bloom)
	o.Bloom = bloom
	return o, err
}

// splitColumns reads names that are separated by commas. A name with a comma or a
// quote stands in double quotes, in which two of them mean one.
func splitColumns(list string) ([]string, error) {
	if list == "" {
		return nil, nil
	}
	r := csv.NewReader(strings.NewReader(list))
	r.TrimLeadingSpace = true
	names, err := r.Read()
	if err != nil || len(names) == 0 {
		return nil, usagef("the columns %q: %v", list, err)
	}
	return names, nil
}
