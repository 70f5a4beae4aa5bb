import { type Compared, readYaml, type YamlReading } from './yaml-reading.ts'

export interface Question {
  id: number
  text: string
  compared: Compared | undefined
}
export type Answer = YamlReading & { id: number }

addEventListener('message', ({ data }: MessageEvent<Question>) => {
  const answer: Answer = { id: data.id, ...readYaml(data.text, data.compared) }
  postMessage(answer)
})
