import t from 'tap';
import { readPdf } from '#api/test/support/pdf-text.ts';
import { PdfLayout } from '#api/workers/pdf-layout.ts';

/** Draws texts, and returns what a reader finds and the fonts that are embedded. */
async function draw(language: string, texts: readonly string[], width = 400) {
  const createdAt = new Date('2026-11-28T00:00:00Z');
  const layout = new PdfLayout({ title: 'Receipt', author: 'North', language, createdAt });
  for (const text of texts) layout.row([{ text, width }]);
  const bytes = await layout.finish(() => ({ left: 'North · Receipt', right: '1 / 1' }));
  const names = Buffer.from(bytes)
    .toString('latin1')
    .matchAll(/\/BaseFont \/[A-Z]{6}\+([\w-]+)/g);
  const fonts = [...new Set([...names].map(([, name = '']) => name))].toSorted();
  return { bytes, fonts, text: (await readPdf(bytes)).text };
}

const flat = (text: string) => text.replaceAll(/\s/g, '');

void t.test('embeds a font for each script of a text, and no other', async (t) => {
  for (const [language, text, fonts] of [
    ['en-GB', 'Kings Cross – Ελλάδα, Киев, Łódź (€ ฿ ₹ ₩) …', []],
    ['ar-AE', 'موقف دبي 12', []],
    ['ja-JP', '新宿駅前パーキング（地下２階）', ['NotoSansJP-Regular']],
    ['zh-CN', '北京南站停车场，直流快充桩', ['NotoSansSC-Regular']],
    ['zh-TW', '臺北車站「龜山」停車場', ['NotoSansSC-Regular']],
    ['ko-KR', '강남역 지하주차장 漢字', ['NotoSansKR-Regular']],
    ['th-TH', 'ลานจอดรถ', ['NotoSansThai-Regular']],
    ['hi-IN', 'नई दिल्ली।', ['NotoSansDevanagari-Regular']],
    ['en-NL', 'Harbour 駐車場 ลาน', ['NotoSansSC-Regular', 'NotoSansThai-Regular']],
  ] as const) {
    const drawn = await draw(language, [text]);
    t.same(drawn.fonts, ['DejaVuSans', ...fonts].toSorted(), text);
    t.notMatch(drawn.text, '\0', `${text}: has every letter`);
  }
});

void t.test('keeps texts in Chinese, Japanese, Korean, Thai and Devanagari readable', async (t) => {
  const texts = [
    '東京都千代田区丸の内１－９',
    '한국전력 충전소 2층',
    '北京市朝阳区',
    'กรุงเทพ 10110',
    'कनक',
    '𠮷野家',
  ];
  for (const width of [400, 60]) {
    const { text } = await draw('en-GB', texts, width);
    for (const each of texts) t.ok(flat(text).includes(flat(each)), `${each} in ${width} points`);
  }
});

void t.test('chooses the form of characters by the text, then by language and country', async (t) => {
  for (const [language, text, font] of [
    ['ja-JP', '直骨', 'NotoSansJP-Regular'],
    ['en-JP', '直骨', 'NotoSansJP-Regular'],
    ['en-GB', '直骨', 'NotoSansSC-Regular'],
    ['en-KR', '直骨', 'NotoSansKR-Regular'],
    ['zh-CN', '直骨の', 'NotoSansJP-Regular'],
    ['zh-CN', '直骨 역', 'NotoSansKR-Regular'],
  ] as const) {
    t.same((await draw(language, [text])).fonts, ['DejaVuSans', font].toSorted(), `${text} in ${language}`);
  }
  const simplified = await draw('ja-JP', ['这']);
  t.same(simplified.fonts, ['DejaVuSans', 'NotoSansSC-Regular'], 'a letter that the Japanese font lacks');
});

void t.test('draws the same text in other scripts as the same bytes', async (t) => {
  const texts = ['新宿', 'ลาน', 'नई', '역'];
  t.same((await draw('ja-JP', texts)).bytes, (await draw('ja-JP', texts)).bytes);
});

void t.test('sets bold text of other scripts in bold', async (t) => {
  const layout = new PdfLayout({ title: 'R', author: 'N', language: 'ja-JP', createdAt: new Date(0) });
  layout.row([{ text: '株式会社', width: 100, bold: true }]);
  const bytes = await layout.finish(() => ({ left: '', right: '' }));
  t.match(Buffer.from(bytes).toString('latin1'), 'NotoSansJP-Bold');
});
