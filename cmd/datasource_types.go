package cmd

import "strings"

// dataSourceTypes are the types of the DataGateway module, as it spelt them in
// 2020. The service has got more since.
func dataSourceTypes() []string {
	return []string{
		"Sql", "AnalysisServices", "SAPHana", "File", "Folder", "Oracle", "Teradata", "SharePointList", "Web", "OData", "DB2",
		"MySql", "PostgreSql", "Sybase", "Extension", "SAPBW", "AzureTables", "AzureBlobs", "Informix", "ODBC", "Excel",
		"SharePoint", "PubNub", "MQ", "BizTalk", "GoogleAnalytics", "CustomHttpApi", "Exchange", "Facebook", "HDInsight",
		"AzureMarketplace", "ActiveDirectory", "Hdfs", "SharePointDocLib", "PowerQueryMashup", "OleDb", "AdoDotNet", "R", "LOB",
		"Salesforce", "CustomConnector", "SAPBWMessageServer", "AdobeAnalytics", "Essbase", "AzureDataLakeStorage", "SapErp",
		"UIFlow",
	}
}

// dataSourceType gives a data source type the service's spelling. One that is
// not known is taken as it is.
func dataSourceType(text string) string {
	text = strings.TrimSpace(text)
	if known, ok := oneOf(text, dataSourceTypes()); ok {
		return known
	}
	return text
}
