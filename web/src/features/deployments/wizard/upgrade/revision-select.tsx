import type { Revision } from '@quayside/contract/deployments/endpoints'
import { Radio } from '../../../../ui/forms/checkbox.tsx'
import { classNames } from '../../../../ui/marks/class-names.ts'
import { RelativeTime } from '../../../../ui/text/relative-time.tsx'
import styles from '../../steps/steps.module.css'
import { texts } from '../../texts.ts'

interface Props {
  revisions: readonly Revision[]
  value: number | undefined
  onChange: (revision: number) => void
}

const columns = texts.selectRevision.columns

/** Every revision, newest first; the installed one is marked and cannot be chosen. */
export function RevisionSelect({ revisions, value, onChange }: Props) {
  return (
    <table className={classNames(styles.table, styles.stacked)}>
      <thead>
        <tr>
          {columns.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {revisions.map((revision, index) => {
          const isInstalled = index === 0
          return (
            <tr key={revision.revision}>
              <td data-title={columns[0]}>
                <Radio
                  name="revision"
                  disabled={isInstalled}
                  checked={value === revision.revision}
                  onChange={() => onChange(revision.revision)}
                >
                  <bdi>{revision.revision + (isInstalled ? texts.selectRevision.installed : '')}</bdi>
                </Radio>
              </td>
              <td data-title={columns[1]}>
                <bdi className="mono">{revision.version}</bdi>
              </td>
              <td data-title={columns[2]}>
                <RelativeTime at={revision.updatedAt} />
              </td>
              <td data-title={columns[3]}>
                <bdi>{revision.description}</bdi>
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
