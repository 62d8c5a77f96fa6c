// Package gatewayconfig reads, checks and edits a gateway machine's
// Microsoft.PowerBI.DataMovement.Pipeline.GatewayCore.dll.config, the file that
// holds the member's CPU, memory and concurrency limits.
//
// The file belongs to another program and to the admin who commented it, so an
// edit replaces the bytes of the value and no others: etree finds the settings
// and reads them, encoding/xml's offsets say where their bytes are, and the
// spliced result is read again and must hold exactly the intended settings
// before anyone gets it. Nothing is ever written back through an XML encoder.
package gatewayconfig

// FileName is the name under which the gateway looks for the file, in its
// installation folder.
const FileName = "Microsoft.PowerBI.DataMovement.Pipeline.GatewayCore.dll.config"

// ServiceName is the Windows service that reads the file, and reads it only
// when it starts.
const ServiceName = "PBIEgwService"
