package cmd

import (
	"github.com/spf13/cobra"

	"gatepool/state"
)

type setDatasourceOptions struct {
	cluster     string
	dataSources []string
	newName     *string
	settings    dataSourceSettings
	change      changeFlags
}

func (a *app) setDatasource() *cobra.Command {
	var o setDatasourceOptions
	c := &cobra.Command{
		Use:   "set-datasource CLUSTER DATASOURCE...",
		Short: "Change data sources of a gateway cluster",
		Long: `Change data sources of a gateway cluster. What no flag names stays as it is; an
empty text takes a property away. A connection with what looks like a password
or a key is refused. Mirrors Set-DataGatewayClusterDatasource, which changes the
name; type and connection can be changed here, in the state file, only.`,
		Example: `  gatepool set-datasource finance sales --datasource-name sales-2026
  gatepool set-datasource finance sales --connection 'sql02;sales'
  gatepool set-datasource finance '*' --type Sql --what-if`,
		Args: arguments(2, -1),
		RunE: func(_ *cobra.Command, args []string) error {
			o.cluster, o.dataSources = args[0], args[1:]
			return a.runSetDatasource(o)
		},
	}
	addText(c, &o.newName, "datasource-name", "new name (also --name, --new-name)")
	sameAs(c, "name", "datasource-name")
	sameAs(c, "new-name", "datasource-name")
	o.settings.add(c)
	o.change.add(c)
	o.change.addPassThru(c)
	return c
}

func (a *app) runSetDatasource(o setDatasourceOptions) error {
	if err := o.settings.check(); err != nil {
		return err
	}
	var t targets
	var changed []string
	err := a.change(o.change, "", func(tx *state.Tx) error {
		changed = []string{o.cluster}
		c, err := tx.Cluster(o.cluster)
		if err != nil {
			return err
		}
		l := dataSources(c)
		err = l.each(&t, o.dataSources, func(i int) error {
			d := &c.DataSources[i]
			if o.newName != nil {
				if err := l.checkNewName(d, *o.newName); err != nil {
					return err
				}
				d.Name = *o.newName
			}
			o.settings.apply(d)
			changed = append(changed, d.Name)
			return nil
		})
		if o.newName != nil && t.all > 1 {
			return usagef("--datasource-name is for one data source, and these are %d", t.all)
		}
		return err
	})
	if err != nil {
		return err
	}
	if o.change.passThru && !o.change.whatIf && len(changed) > 1 {
		if err := a.runGetDatasource(changed); err != nil {
			return err
		}
	}
	return t.err()
}
