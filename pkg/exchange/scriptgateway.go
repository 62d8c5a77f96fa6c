package exchange

import (
	"fmt"
	"slices"
	"strings"

	"gatepool/pkg/gateway"
)

// gateway writes the lines for a cluster and what belongs to it.
func (s *script) gateway(d Difference, group []Difference) {
	if s.shell == Az {
		if d.Change != Extra || s.removal(d) {
			s.comment(update, d, "az has no command for gateways; the DataGateway cmdlets have")
		}
		return
	}
	if d.Kind == KindCluster && d.Change == Missing {
		s.comment(create, d, "Add-DataGatewayCluster makes it, on the machine of its first member and with a recovery key")
		return
	}
	if d.Change == Extra && !s.removal(d) {
		return
	}
	c := s.Fact.cluster(d.Path[0])
	if c.ID == "" {
		s.comment(update, d, "left out because the id of the cluster is not known; import it first")
		return
	}
	cluster := []string{"-GatewayClusterId", QuotePowerShell(c.ID)}
	switch d.Kind {
	case KindCluster:
		s.cluster(c, cluster, d, group)
	case KindMember:
		s.member(c, cluster, d, group)
	case KindClusterUser:
		s.clusterUser(c, cluster, d)
	default:
		s.dataSource(c, cluster, d, group)
	}
}

// clusterParameters are what Set-DataGatewayCluster can change.
var clusterParameters = map[string]string{
	"name":                        "-Name",
	"description":                 "-Description",
	"department":                  "-Department",
	"contact":                     "-ContactInformation",
	"loadBalancing":               "-LoadBalancingSelectorType",
	"allowCloudDatasourceRefresh": "-AllowCloudDatasourceRefresh",
	"allowCustomConnectors":       "-AllowCustomConnectors",
}

func (s *script) cluster(c *gateway.Cluster, target []string, d Difference, group []Difference) {
	if d.Change == Extra {
		s.line(last, append([]string{"Remove-DataGatewayCluster"}, target...)...)
		return
	}
	words := append([]string{"Set-DataGatewayCluster"}, target...)
	count := len(words)
	for _, d := range group {
		parameter, ok := clusterParameters[d.Property]
		switch {
		case !ok:
			s.comment(update, d, d.Property+" cannot be changed from here")
		case d.Property == "loadBalancing":
			// To the service round robin and failover are both "off".
			if wish := d.Wish.(gateway.LoadBalancing); (wish == gateway.Random) != (c.LoadBalancing == gateway.Random) {
				if wish == gateway.RoundRobin {
					wish = gateway.Failover
				}
				words = append(words, parameter, QuotePowerShell(string(wish)))
			}
		default:
			if flag, ok := d.Wish.(bool); ok {
				words = append(words, parameter, fmt.Sprintf("$%t", flag))
			} else {
				words = append(words, parameter, QuotePowerShell(d.Wish.(string)))
			}
		}
	}
	if len(words) > count {
		s.line(update, words...)
	}
}

func (s *script) member(c *gateway.Cluster, target []string, d Difference, group []Difference) {
	if d.Change == Missing {
		s.comment(update, d, "Add-DataGatewayClusterMember adds it, on its own machine and with the recovery key")
		return
	}
	m := c.Member(d.Path[1])
	if m.ID == "" {
		s.comment(update, d, "left out because its id is not known; import it first")
		return
	}
	if d.Change == Extra {
		at := remove
		if m == c.Primary() { // the primary can go only when the others are gone
			at = last
		}
		s.line(at, append(append([]string{"Remove-DataGatewayClusterMember"}, target...), "-MemberGatewayId", QuotePowerShell(m.ID))...)
		return
	}
	for _, d := range group {
		words := []string{"Set-OnPremisesDataGateway", "-ClusterObjectId", QuotePowerShell(c.ID), "-GatewayObjectId", QuotePowerShell(m.ID)}
		switch d.Property {
		case "enabled":
			at, status := drain, "None"
			if d.Wish == true {
				at, status = resume, "Enabled"
			}
			s.line(at, append(words, "-MemberStatus", status)...)
		case "name":
			s.line(update, append(words, "-Name", QuotePowerShell(d.Wish.(string)))...)
		case "version":
			s.comment(update, d, "Update-DataGatewayClusterMember updates it to another version")
		default:
			s.comment(update, d, d.Property+" cannot be changed from here")
		}
	}
}

func (s *script) clusterUser(c *gateway.Cluster, target []string, d Difference) {
	switch d.Change {
	case Missing:
		s.addUser(c, target, d.Wish.(gateway.User))
	case Extra:
		u := d.Fact.(gateway.User)
		s.line(remove, append(append([]string{"Remove-DataGatewayClusterUser"}, target...), "-PrincipalObjectId", principalID(u))...)
	default:
		s.comment(update, d, "another "+d.Property+" needs Remove-DataGatewayClusterUser and then Add-DataGatewayClusterUser")
	}
}

// addUser adds a principal unless it is there.
func (s *script) addUser(c *gateway.Cluster, target []string, u gateway.User) {
	id := principalID(u)
	words := append(append([]string{"Add-DataGatewayClusterUser"}, target...), "-PrincipalObjectId", id, "-Role", QuotePowerShell(string(u.Role)))
	if len(u.DataSourceTypes) > 0 && u.Role != gateway.Admin {
		var types []string
		for _, t := range u.DataSourceTypes {
			types = append(types, QuotePowerShell(t))
		}
		words = append(words, "-AllowedDataSourceTypes", strings.Join(types, ", "))
	}
	s.line(update, "if ((Get-DataGatewayCluster", strings.Join(target, " ")+").Permissions.Id -notcontains", id+") {", strings.Join(words, " "), "}")
}

// principalID is the principal's object id, or the expression that looks it up.
func principalID(u gateway.User) string {
	principal := QuotePowerShell(u.Principal)
	switch {
	case u.ID != "":
		return QuotePowerShell(u.ID)
	case u.PrincipalType == "Group":
		return "(Get-AzADGroup -DisplayName " + principal + ").Id"
	case u.PrincipalType == "App":
		return "(Get-AzADServicePrincipal -DisplayName " + principal + ").Id"
	}
	return "(Get-AzADUser -UserPrincipalName " + principal + ").Id"
}

func (s *script) dataSource(c *gateway.Cluster, target []string, d Difference, group []Difference) {
	if d.Kind == KindDataSource && d.Change == Missing {
		s.comment(update, d, "make it where its credentials can be given")
		return
	}
	source := named(c.DataSources, d.Path[1], dataSourceKey)
	if source.ID == "" {
		s.comment(update, d, "left out because the id of the data source is not known; import it first")
		return
	}
	target = append(slices.Clone(target), "-GatewayClusterDatasourceId", QuotePowerShell(source.ID))
	switch {
	case d.Kind == KindDataSource && d.Change == Extra:
		s.line(remove, append([]string{"Remove-DataGatewayClusterDatasource"}, target...)...)
	case d.Kind == KindDataSource:
		for _, d := range group {
			if d.Property == "name" {
				s.line(update, append(append([]string{"Set-DataGatewayClusterDatasource"}, target...), "-DatasourceName", QuotePowerShell(d.Wish.(string)))...)
			} else {
				s.comment(update, d, d.Property+" cannot be changed from here")
			}
		}
	case d.Change == Extra:
		s.line(remove, append(append([]string{"Remove-DataGatewayClusterDatasourceUser"}, target...), "-UserId", QuotePowerShell(d.Path[2]))...)
	case d.Change == Missing:
		u := d.Wish.(gateway.DataSourceUser)
		s.line(update, append(append([]string{"Add-DataGatewayClusterDatasourceUser"}, target...),
			"-DatasourceUserAccessRight", QuotePowerShell(string(u.Right)), "-UserEmailAddress", QuotePowerShell(u.Principal))...)
	default:
		s.comment(update, d, "another right needs Remove- and then Add-DataGatewayClusterDatasourceUser")
	}
}
