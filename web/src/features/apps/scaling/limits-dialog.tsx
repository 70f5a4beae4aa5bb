import type { WorkloadLimits } from '@quayside/contract/clusters/scaling'
import { cpuAmount, memoryAmount } from '@quayside/contract/clusters/scaling-bounds'
import { useState } from 'react'
import type { Container, useChangeWorkload } from '../../../api/clusters/scaling.ts'
import { ApiError } from '../../../lib/api/api-error.ts'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import styles from './app-scaling.module.css'

interface Props {
  appId: string
  workload: WorkloadLimits
  container: Container
  change: ReturnType<typeof useChangeWorkload>
  onClose: () => void
  onDone: (nothing: undefined) => void
}

const fields = [
  { side: 'requests', resource: 'cpu', label: 'CPU request' },
  { side: 'limits', resource: 'cpu', label: 'CPU limit' },
  { side: 'requests', resource: 'memory', label: 'Memory request' },
  { side: 'limits', resource: 'memory', label: 'Memory limit' },
] as const

const kinds = {
  cpu: { pattern: cpuAmount, help: 'Cores, such as 2, or thousandths of one, such as 250m. Empty: not set.' },
  memory: { pattern: memoryAmount, help: 'Bytes, such as 128Mi or 2Gi. Empty: not set.' },
} as const

/** Sets requests and limits of one container. */
export function LimitsDialog({ appId, workload, container, change, onClose, onDone }: Props) {
  const { kind, name } = workload
  const [texts, setTexts] = useState(() =>
    Object.fromEntries(fields.map(({ side, resource }) => [`${side}.${resource}`, container[side][resource] ?? ''])),
  )
  const textOf = (field: string) => (texts[field] ?? '').trim()
  const refused = change.error instanceof ApiError ? change.error : undefined
  const errorOf = (field: string, resource: 'cpu' | 'memory') =>
    textOf(field) === '' || kinds[resource].pattern.test(textOf(field))
      ? refused?.field === field
        ? refused.message
        : undefined
      : resource === 'cpu'
        ? 'Enter an amount such as 250m or 2.'
        : 'Enter an amount such as 128Mi or 2Gi.'
  const isFit = fields.every(
    ({ side, resource }) =>
      textOf(`${side}.${resource}`) === '' || kinds[resource].pattern.test(textOf(`${side}.${resource}`)),
  )
  const submit = () => {
    if (!isFit || (kind !== 'Deployment' && kind !== 'StatefulSet' && kind !== 'DaemonSet')) return
    const amounts = (side: 'requests' | 'limits') => ({
      cpu: textOf(`${side}.cpu`) || null,
      memory: textOf(`${side}.memory`) || null,
    })
    const body = {
      appId,
      kind,
      name,
      container: container.name,
      requests: amounts('requests'),
      limits: amounts('limits'),
    } as const
    change.mutate({ set: 'limits', body }, { onSuccess: () => onDone(undefined) })
  }
  const isAtField = fields.some(({ side, resource }) => refused?.field === `${side}.${resource}`)
  return (
    <FormDialog
      title={`Limits of ${container.name}`}
      submitLabel="Set limits"
      busy={change.isPending}
      disabled={!isFit}
      error={isAtField ? undefined : change.error}
      onClose={onClose}
      onSubmit={submit}
    >
      {fields.map(({ side, resource, label }) => {
        const field = `${side}.${resource}`
        return (
          <TextField
            key={field}
            label={label}
            help={kinds[resource].help}
            value={texts[field] ?? ''}
            error={errorOf(field, resource)}
            onChange={(event) => {
              change.reset()
              setTexts({ ...texts, [field]: event.target.value })
            }}
          />
        )
      })}
      <p className={styles.note}>
        <bdi>
          The pods of {name} are started anew, a few at a time. The next upgrade or rollback sets back what its values
          name, and leaves the rest as it is.
        </bdi>
      </p>
    </FormDialog>
  )
}
