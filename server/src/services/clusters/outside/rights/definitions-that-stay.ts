import type { ClusterConnection } from '../../../../adapters/kubernetes/kubernetes.ts'
import { mapLimit } from '../../../../platform/concurrency/map-limit.ts'
import { fail } from '../../../../platform/http/errors.ts'
import type { ReleaseRef } from '../../releases/release-ref.ts'
import { usersOf, whyItStays } from '../../removal/definition-users.ts'
import type { Judged } from '../judging/judge-outside.ts'
import { keyOf } from '../outside-objects.ts'

const resource = 'apiextensions.k8s.io/v1/customresourcedefinitions'
type Looking = Pick<ClusterConnection, 'get' | 'list'>

/** An object of a release as it is. */
interface Own {
  apiVersion: string
  group: string
  kind: string
  name: string
  namespace: string | null
  /** Helm leaves it where it is when the release does not have it any more. */
  isLeft: boolean
}

/**
 * Keys of definitions that go with no action: with a definition go all objects of its kind, those of other spaces as well.
 * @throws `approval.refused` where Helm would remove one of them
 */
export async function definitionsThatStay(
  connection: Looking,
  release: ReleaseRef,
  { going, wanted }: { going: readonly Own[]; wanted: readonly Judged[] },
): Promise<ReadonlySet<string>> {
  // Helm removes what a hook has made before it makes it again.
  const asked = [...going, ...wanted.filter(({ isHook }) => isHook).map((one) => ({ ...one, isLeft: false }))]
  const found = await mapLimit(4, asked.filter(isDefinition), async (one) => {
    const definition = await connection.get(resource, undefined, one.name)
    const why = definition && whyItStays(await usersOf(connection, definition, release))
    return why === undefined ? undefined : { one, why }
  })
  const staying = found.filter((each) => each !== undefined)
  const refused = staying.find(({ one }) => !one.isLeft)
  if (refused)
    throw fail('approval.refused', {
      message: `CustomResourceDefinition ${refused.one.name} cannot be removed: ${refused.why}. When they are not needed any more, whoever looks after the cluster can remove them or the definition itself.`,
    })
  return new Set(staying.map(({ one }) => keyOf(one)))
}

/** Tells whether an object defines a kind. */
export const isDefinition = ({ group, kind }: { group: string; kind: string }) =>
  group === 'apiextensions.k8s.io' && kind === 'CustomResourceDefinition'
