// The baseline for gRPC: a bare server that gives back the bytes it gets.
import { Server, ServerCredentials } from '@grpc/grpc-js';

const asIs = (bytes) => bytes;
const SendMessage = {
  path: '/a2a.v1.A2AService/SendMessage',
  requestStream: false,
  responseStream: false,
  requestSerialize: asIs,
  requestDeserialize: asIs,
  responseSerialize: asIs,
  responseDeserialize: asIs,
};
const server = new Server();
server.addService({ SendMessage }, { SendMessage: (call, done) => done(null, call.request) });
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  process.stdout.write(`http://127.0.0.1:${port}/\n`);
});
