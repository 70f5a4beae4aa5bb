import { expect, it } from 'vitest'
import { headersOf } from './sign.ts'

it('the signature is the one that the Standard Webhooks specification gives', () => {
  // The vector that the libraries of the specification are tested with.
  const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1614265330, body: '{"test": 2432232314}' }
  expect(headersOf(message, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
  expect(headersOf(message, undefined)).not.toHaveProperty('webhook-signature')
})
