import type { ResultLine, ValidationResult } from '@quayside/contract/deployments/endpoints'
import type { ValuesModel } from '@quayside/values/form/values-model'
import { namesPlace } from '@quayside/values/yaml/place-words'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useGuard } from '../../../api/permissions/my-scopes.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { GuardedButton } from '../../../ui/actions/guarded-button.tsx'
import { ViewToggle } from '../../../ui/lists/view-toggle.tsx'
import { classNames } from '../../../ui/marks/class-names.ts'
import { lazily } from '../../../ui/states/lazily.tsx'
import { Loading } from '../../../ui/states/loading.tsx'
import { ProgressBar } from '../../../ui/states/progress-bar.tsx'
import { texts } from '../texts.ts'
import { type Against, ComparedYaml } from '../values/diff/compared-yaml.tsx'
import type { Values } from '../values/form/use-values.ts'
import { type FormPlace, ValuesForm } from '../values/form/values-form.tsx'
import { knowledgeOf } from '../values/form/yaml/value-facts.ts'
import styles from './steps.module.css'
import type { Validation } from './use-validation.ts'

const YamlEditor = lazily(
  () => import('../values/form/yaml/yaml-editor.tsx').then((module) => module.YamlEditor),
  <Loading card />,
)

interface Props {
  yaml: string
  values: Values
  /** The chart's own values. */
  defaults: ValuesModel
  view: 'form' | 'yaml'
  onView: (view: 'form' | 'yaml') => void
  /** Why the form cannot be shown now. */
  failed: string | undefined
  /** The texts that the YAML view can be compared with. */
  against: Against
  place: FormPlace
  validation: Validation
  onChange: (yaml: string) => void
  /** Below the verdict. */
  below?: ReactNode
  /** Beside the toggle. */
  tools: ReactNode
}

const t = texts.infrastructure
const views = [
  { key: 'form', title: t.form },
  { key: 'yaml', title: t.yaml },
] as const
const noLines: readonly ResultLine[] = []
/** The values of the release, as a form or as YAML: two views of one text. */
export function Infrastructure(props: Props) {
  const { yaml, values, defaults, view, onView, failed, against, place, validation, onChange, below, tools } = props
  const right = useGuard()('values.yaml', 'write values as YAML')
  const mayYaml = right.allowed === true
  const knowledge = useMemo(() => knowledgeOf(defaults), [defaults])
  return (
    <div className={styles.step}>
      <div className={styles.line}>
        <div>
          <h3>{t.step}</h3>
          <p className={styles.text}>{t.text}</p>
        </div>
        <div className={styles.tools}>
          {tools}
          {mayYaml ? (
            <ViewToggle label={t.view} views={views} value={view} onChange={onView} />
          ) : (
            <GuardedButton {...right} small>
              {t.yaml}
            </GuardedButton>
          )}
        </div>
      </div>
      {failed !== undefined && (
        <p role="alert" className={styles.failed}>
          {failed}
        </p>
      )}
      {view === 'yaml' && mayYaml ? (
        <ComparedYaml yaml={yaml} schema={defaults.schema} against={against}>
          <YamlEditor
            label={t.editor}
            value={yaml}
            onChange={onChange}
            knowledge={knowledge}
            findings={validation.result?.lines ?? noLines}
          />
        </ComparedYaml>
      ) : (
        <ValuesForm values={values} defaults={defaults.fields} place={place} />
      )}
      <div className={styles.outcome}>
        {validation.validating ? (
          <div className={styles.pending} role="status">
            <span>{validation.isAway ? texts.away : t.validating}</span>
            <ProgressBar label={t.validating} />
          </div>
        ) : (
          validation.result !== undefined && <Verdict result={validation.result} />
        )}
        {below}
      </div>
    </div>
  )
}

function Verdict({ result }: { result: ValidationResult }) {
  const [open, setOpen] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (open) box.current?.scrollIntoView({ block: 'nearest' })
  }, [open])
  const lines =
    result.lines.length > 0
      ? result.lines
      : [{ message: t.unknownError, provider: undefined, path: undefined, line: undefined, object: undefined }]
  const toggle = (
    <Button small onClick={() => setOpen(!open)} aria-expanded={open}>
      {open ? t.hideDetails : t.showDetails}
    </Button>
  )
  if (result.success) {
    const notes = result.lines.filter(({ resultType }) => resultType === 'info').length
    return (
      <div ref={box}>
        <p role="status" className={styles.fine}>
          <IconCircleCheck size={16} stroke={1.75} aria-hidden />
          <span>{t.valid}</span>
          {notes > 0 && <span>{notes === 1 ? t.oneNote : t.notes.replace('{n}', String(notes))}</span>}
          {result.lines.length > 0 && toggle}
        </p>
        {open && result.lines.length > 0 && <Lines lines={result.lines} hasProvider />}
      </div>
    )
  }
  return (
    <div ref={box} role="alert" className={classNames(styles.verdict, styles.bad)}>
      <div className={styles.verdictHead}>
        <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
        <strong>{t.failed}</strong>
        {toggle}
      </div>
      {open && (
        <>
          <span>
            {result.provider} {t.outcome[result.resultType]}
          </span>
          <Lines lines={lines} />
        </>
      )}
    </div>
  )
}

type Line = Pick<ResultLine, 'message' | 'provider' | 'path' | 'line' | 'object'> & { isSummary?: boolean }

function Lines({ lines, hasProvider = false }: { lines: readonly Line[]; hasProvider?: boolean }) {
  return (
    <ul className={styles.lines}>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: result lines have no identity but their order.
        <li key={index}>
          <bdi>
            {(hasProvider && line.isSummary !== true ? `${line.provider}: ` : '') + whereOf(line) + line.message}
          </bdi>
        </li>
      ))}
    </ul>
  )
}

function whereOf({ path, line, object, message }: Line): string {
  const what = object && `${object.kind} ${object.name}`
  const inObject = [object?.source, what !== undefined && message.startsWith(what) ? undefined : what, object?.path]
  const place = path !== undefined && namesPlace(message, path) ? undefined : path
  const where = [place, line === undefined ? undefined : `line ${line}`, ...inObject]
    .filter((part) => part !== undefined && part !== '')
    .join(', ')
  return where === '' ? '' : `${where}: `
}
