import { type Fields, fieldsOf } from '../../workloads/fields.ts'
import { contentOf } from './content.ts'

/**
 * Judges a policy of admission or its binding. The parameters of one are objects that whoever writes them may change later,
 * and with them what it does to what others write: no list lets it be, and it elevates the space.
 */
export const policyThat = (does: 'refuses' | 'changes') => (body: Fields) => {
  const { paramKind, paramRef } = fieldsOf(body.spec)
  const parameters = [paramKind, paramRef].filter((one) => one !== undefined && one !== null)
  const isSetUp = parameters.length > 0
  return {
    content: contentOf(body),
    elevates: isSetUp,
    isForAll: isSetUp,
    grants: [
      `${does} what others write`,
      ...parameters.map((one) => `is set up by ${JSON.stringify(one)}: whoever writes that changes what it does`),
    ],
  }
}
