package app

// OpenOn is Open on a store that is open already.
var OpenOn = open

// Transport has the options of the gRPC server without its interceptors.
var Transport = transport
