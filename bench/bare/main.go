// Bare does nothing: what it takes to start is what any Go program takes.
package main

func main() {}
