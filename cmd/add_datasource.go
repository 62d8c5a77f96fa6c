package cmd

import (
	"github.com/spf13/cobra"

	"gatepool/pkg/advice"
	"gatepool/pkg/gateway"
	"gatepool/state"
)

type addDatasourceOptions struct {
	cluster     string
	dataSources []string
	settings    dataSourceSettings
	change      changeFlags
}

func (a *app) addDatasource() *cobra.Command {
	var o addDatasourceOptions
	c := &cobra.Command{
		Use:   "add-datasource CLUSTER DATASOURCE...",
		Short: "Add data sources to a gateway cluster",
		Long: `Add data sources to a gateway cluster. The state file never holds credentials: a
connection with what looks like a password or a key is refused.`,
		Example: `  gatepool add-datasource finance hr --type Sql --connection 'sql01;hr'
  gatepool add-datasource finance reports --type File --connection '\\files01\reports'
  gatepool add-datasource finance hr --what-if`,
		Args: arguments(2, -1),
		RunE: func(_ *cobra.Command, args []string) error {
			o.cluster, o.dataSources = args[0], args[1:]
			return a.runAddDatasource(o)
		},
	}
	o.settings.add(c)
	o.change.add(c)
	o.change.addPassThru(c)
	return c
}

func (a *app) runAddDatasource(o addDatasourceOptions) error {
	if err := o.settings.check(); err != nil {
		return err
	}
	var t targets
	var added []string
	err := a.change(o.change, "", func(tx *state.Tx) error {
		added = []string{o.cluster}
		c, err := tx.Cluster(o.cluster)
		if err != nil {
			return err
		}
		return dataSources(c).add(&t, o.dataSources, func(name string) (gateway.DataSource, error) {
			added = append(added, name)
			d := gateway.DataSource{Name: name}
			o.settings.apply(&d)
			return d, nil
		})
	})
	if err != nil {
		return err
	}
	if o.change.passThru && !o.change.whatIf {
		if err := a.runGetDatasource(added); err != nil {
			return err
		}
	}
	return t.err()
}

// dataSourceSettings are the properties of a data source that add-datasource
// and set-datasource take. Those not given are nil.
type dataSourceSettings struct {
	sourceType *string
	connection *string
}

func (s *dataSourceSettings) add(c *cobra.Command) {
	addText(c, &s.sourceType, "type", "data source type, such as Sql, Oracle or AnalysisServices")
	addText(c, &s.connection, "connection", "server and database, or path; never credentials")
	completeFlag(c, "type", dataSourceTypes())
}

// check refuses a secret, which the message does not repeat.
func (s *dataSourceSettings) check() error {
	if s.connection == nil {
		return nil
	}
	if what, _, found := advice.Secret(*s.connection); found {
		return invalidValue("connection", "--connection holds what looks like %s; the state file never holds credentials", what).
			withHint("leave it out: the gateway keeps credentials itself, encrypted")
	}
	return nil
}

func (s *dataSourceSettings) apply(d *gateway.DataSource) {
	if s.sourceType != nil {
		d.Type = dataSourceType(*s.sourceType)
	}
	set(&d.Connection, s.connection)
}
