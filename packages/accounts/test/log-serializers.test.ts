import { maskedRequest } from 'fastify-accounts'
import { expect, test } from 'vitest'

test('the serializer only reads what a host logs as a request', () => {
  const request = Object.freeze({
    method: 'GET',
    host: 'localhost',
    ip: '192.0.2.1:567',
    url: '/reset/secret/',
  })
  expect(maskedRequest(request as never)).toEqual({
    ...{ method: 'GET', host: 'localhost', url: '(no route)' },
    ...{ remoteAddress: '192.0.2.1', remotePort: undefined },
  })
})
