/**
 * Icons of Lucide 1.77, as far as the console uses them. The source of a further one is the SVG file on lucide.dev.
 * `LICENSE` in this folder is the licence of the shapes.
 */
import { icon } from './icon.ts';

export type { IconComponent } from './icon.ts';

export const ArrowDown = icon('M12 5v14', 'm19 12-7 7-7-7');
export const ArrowDownLeft = icon('M17 7 7 17', 'M17 17H7V7');
export const ArrowDownWideNarrow = icon('m3 16 4 4 4-4', 'M7 20V4', 'M11 4h10', 'M11 8h7', 'M11 12h4');
export const Activity = icon(
  'M22 12h-2.48a2 2 0 0 0-1.93 1.46l-2.35 8.36a.25.25 0 0 1-.48 0L9.24 2.18a.25.25 0 0 0-.48 0l-2.35 8.36A2 2 0 0 1 4.49 12H2',
);
export const ArrowLeftRight = icon('M8 3 4 7l4 4', 'M4 7h16', 'm16 21 4-4-4-4', 'M20 17H4');
export const ArrowUp = icon('m5 12 7-7 7 7', 'M12 19V5');
export const ArrowUpNarrowWide = icon('m3 8 4-4 4 4', 'M7 4v16', 'M11 12h4', 'M11 16h7', 'M11 20h10');
export const ArrowUpRight = icon('M7 7h10v10', 'M7 17 17 7');
export const BadgeCheck = icon(
  'M3.85 8.62a4 4 0 0 1 4.78-4.77 4 4 0 0 1 6.74 0 4 4 0 0 1 4.78 4.78 4 4 0 0 1 0 6.74 4 4 0 0 1-4.77 4.78 4 4 0 0 1-6.75 0 4 4 0 0 1-4.78-4.77 4 4 0 0 1 0-6.76Z',
  'm16 9-5.5 5.5L8 12',
);
export const Ban = icon({ cx: 12, cy: 12, r: 10 }, 'M4.929 4.929 19.07 19.071');
export const BatteryCharging = icon(
  'm11 7-3 5h4l-3 5',
  'M14.856 6H16a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-2.935',
  'M22 14v-4',
  'M5.14 18H4a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2h2.936',
);
export const Bookmark = icon(
  'M17 3a2 2 0 0 1 2 2v15a1 1 0 0 1-1.496.868l-4.512-2.578a2 2 0 0 0-1.984 0l-4.512 2.578A1 1 0 0 1 5 20V5a2 2 0 0 1 2-2z',
);
export const Boxes = icon(
  'M2.97 12.92A2 2 0 0 0 2 14.63v3.24a2 2 0 0 0 .97 1.71l3 1.8a2 2 0 0 0 2.06 0L12 19v-5.5l-5-3-4.03 2.42Z',
  'm7 16.5-4.74-2.85',
  'm7 16.5 5-3',
  'M7 16.5v5.17',
  'M12 13.5V19l3.97 2.38a2 2 0 0 0 2.06 0l3-1.8a2 2 0 0 0 .97-1.71v-3.24a2 2 0 0 0-.97-1.71L17 10.5l-5 3Z',
  'm17 16.5-5-3',
  'm17 16.5 4.74-2.85',
  'M17 16.5v5.17',
  'M7.97 4.42A2 2 0 0 0 7 6.13v4.37l5 3 5-3V6.13a2 2 0 0 0-.97-1.71l-3-1.8a2 2 0 0 0-2.06 0l-3 1.8Z',
  'M12 8 7.26 5.15',
  'm12 8 4.74-2.85',
  'M12 13.5V8',
);
export const CalendarClock = icon(
  'M16 2v3',
  'M17 15.5v1.7l1 .625',
  'M21 8.936V5a2 2 0 00-2-2H5a2 2 0 00-2 2v14a2 2 0 002 2h3.935',
  'M3 9h9.873',
  'M8 2v3',
  { cx: 17, cy: 17, r: 5 },
);
export const ChartColumn = icon('M3 3v16a2 2 0 0 0 2 2h16', 'M18 17V9', 'M13 17V5', 'M8 17v-3');
export const Check = icon('M20 6 9 17l-5-5');
export const ChevronDown = icon('m6 9 6 6 6-6');
export const ChevronLeft = icon('m15 18-6-6 6-6');
export const ChevronRight = icon('m9 18 6-6-6-6');
export const CircleAlert = icon({ cx: 12, cy: 12, r: 10 }, 'M12 8 L12 12', 'M12 16 L12.01 16');
export const CircleCheck = icon({ cx: 12, cy: 12, r: 10 }, 'm16 9-5.5 5.5L8 12');
export const CircleDashed = icon(
  'M10.1 2.182a10 10 0 0 1 3.8 0',
  'M13.9 21.818a10 10 0 0 1-3.8 0',
  'M17.609 3.721a10 10 0 0 1 2.69 2.7',
  'M2.182 13.9a10 10 0 0 1 0-3.8',
  'M20.279 17.609a10 10 0 0 1-2.7 2.69',
  'M21.818 10.1a10 10 0 0 1 0 3.8',
  'M3.721 6.391a10 10 0 0 1 2.7-2.69',
  'M6.391 20.279a10 10 0 0 1-2.69-2.7',
);
export const CircleDot = icon({ cx: 12, cy: 12, r: 1 }, { cx: 12, cy: 12, r: 10 });
export const CircleHelp = icon({ cx: 12, cy: 12, r: 10 }, 'M9 9.5a3 2.5 0 016 0c0 2-2 2-3 3.5', 'M12 17h.01');
export const CirclePause = icon({ cx: 12, cy: 12, r: 10 }, 'M10 15 L10 9', 'M14 15 L14 9');
export const CircleSlash = icon({ cx: 12, cy: 12, r: 10 }, 'M9 15 L15 9');
export const CircleStop = icon({ cx: 12, cy: 12, r: 10 }, { x: 9, y: 9, width: 6, height: 6, rx: 1 });
export const CircleUserRound = icon(
  'M17.925 20.056a6 6 0 0 0-11.851.001',
  { cx: 12, cy: 11, r: 4 },
  { cx: 12, cy: 12, r: 10 },
);
export const CircleX = icon({ cx: 12, cy: 12, r: 10 }, 'm15 9-6 6', 'm9 9 6 6');
export const Clock = icon({ cx: 12, cy: 12, r: 10 }, 'M12 6v6l4 2');
export const CloudOff = icon(
  'M10.94 5.274A7 7 0 0 1 15.71 10h1.79a4.5 4.5 0 0 1 4.222 6.057',
  'M18.796 18.81A4.5 4.5 0 0 1 17.5 19H9A7 7 0 0 1 5.79 5.78',
  'm2 2 20 20',
);
export const Columns3 = icon({ width: 18, height: 18, x: 3, y: 3, rx: 2 }, 'M9 3v18', 'M15 3v18');
export const Copy = icon(
  { width: 14, height: 14, x: 8, y: 8, rx: 2 },
  'M4 16c-1.1 0-2-.9-2-2V4c0-1.1.9-2 2-2h10c1.1 0 2 .9 2 2',
);
export const Download = icon('M12 15V3', 'M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4', 'm7 10 5 5 5-5');
export const Ellipsis = icon({ cx: 12, cy: 12, r: 1 }, { cx: 19, cy: 12, r: 1 }, { cx: 5, cy: 12, r: 1 });
export const Equal = icon('M5 9 L19 9', 'M5 15 L19 15');
export const Eye = icon(
  'M2.062 12.348a1 1 0 0 1 0-.696 10.75 10.75 0 0 1 19.876 0 1 1 0 0 1 0 .696 10.75 10.75 0 0 1-19.876 0',
  { cx: 12, cy: 12, r: 3 },
);
export const FileDown = icon(
  'M6 22a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h8a2.4 2.4 0 0 1 1.704.706l3.588 3.588A2.4 2.4 0 0 1 20 8v12a2 2 0 0 1-2 2z',
  'M14 2v5a1 1 0 0 0 1 1h5',
  'M12 18v-6',
  'm9 15 3 3 3-3',
);
export const FileText = icon(
  'M6 22a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h8a2.4 2.4 0 0 1 1.704.706l3.588 3.588A2.4 2.4 0 0 1 20 8v12a2 2 0 0 1-2 2z',
  'M14 2v5a1 1 0 0 0 1 1h5',
  'M10 9H8',
  'M16 13H8',
  'M16 17H8',
);
export const FileUp = icon(
  'M6 22a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h8a2.4 2.4 0 0 1 1.704.706l3.588 3.588A2.4 2.4 0 0 1 20 8v12a2 2 0 0 1-2 2z',
  'M14 2v5a1 1 0 0 0 1 1h5',
  'M12 12v6',
  'm15 15-3-3-3 3',
);
export const Flag = icon(
  'M4 22V4a1 1 0 0 1 .4-.8A6 6 0 0 1 8 2c3 0 5 2 7.333 2q2 0 3.067-.8A1 1 0 0 1 20 4v10a1 1 0 0 1-.4.8A6 6 0 0 1 16 16c-3 0-5-2-8-2a6 6 0 0 0-4 1.528',
);
export const Gauge = icon('m12 14 4-4', 'M3.34 19a10 10 0 1 1 17.32 0');
export const Gift = icon(
  'M12 7v14',
  'M20 11v8a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-8',
  'M7.5 7a1 1 0 0 1 0-5A4.8 8 0 0 1 12 7a4.8 8 0 0 1 4.5-5 1 1 0 0 1 0 5',
  { x: 3, y: 7, width: 18, height: 4, rx: 1 },
);
export const Handshake = icon(
  'm11 17 2 2a1 1 0 1 0 3-3',
  'm14 14 2.5 2.5a1 1 0 1 0 3-3l-3.88-3.88a3 3 0 0 0-4.24 0l-.88.88a1 1 0 1 1-3-3l2.81-2.81a5.79 5.79 0 0 1 7.06-.87l.47.28a2 2 0 0 0 1.42.25L21 4',
  'm21 3 1 11h-2',
  'M3 3 2 14l6.5 6.5a1 1 0 1 0 3-3',
  'M3 4h8',
);
export const Hourglass = icon(
  'M5 22h14',
  'M5 2h14',
  'M17 22v-4.172a2 2 0 0 0-.586-1.414L12 12l-4.414 4.414A2 2 0 0 0 7 17.828V22',
  'M7 2v4.172a2 2 0 0 0 .586 1.414L12 12l4.414-4.414A2 2 0 0 0 17 6.172V2',
);
export const Info = icon({ cx: 12, cy: 12, r: 10 }, 'M12 16v-4', 'M12 8h.01');
export const KeyRound = icon(
  'M2.586 17.414A2 2 0 0 0 2 18.828V21a1 1 0 0 0 1 1h3a1 1 0 0 0 1-1v-1a1 1 0 0 1 1-1h1a1 1 0 0 0 1-1v-1a1 1 0 0 1 1-1h.172a2 2 0 0 0 1.414-.586l.814-.814a6.5 6.5 0 1 0-4-4z',
  { cx: 16.5, cy: 7.5, r: 0.5, fill: 'currentColor' },
);
export const Landmark = icon(
  'M10 18v-7',
  'M11.119 2.205a2 2 0 0 1 1.762 0l7.84 3.846A.5.5 0 0 1 20.5 7h-17a.5.5 0 0 1-.22-.949z',
  'M14 18v-7',
  'M18 18v-7',
  'M3 22h18',
  'M6 18v-7',
);
export const LayoutDashboard = icon(
  { width: 7, height: 9, x: 3, y: 3, rx: 1 },
  { width: 7, height: 5, x: 14, y: 3, rx: 1 },
  { width: 7, height: 9, x: 14, y: 12, rx: 1 },
  { width: 7, height: 5, x: 3, y: 16, rx: 1 },
);
export const ListChecks = icon('M13 5h8', 'M13 12h8', 'M13 19h8', 'm3 17 2 2 4-4', 'm3 7 2 2 4-4');
export const ListFilter = icon('M2 5h20', 'M6 12h12', 'M9 19h6');
export const Loader = icon(
  'M12 2v4',
  'm16.2 7.8 2.9-2.9',
  'M18 12h4',
  'm16.2 16.2 2.9 2.9',
  'M12 18v4',
  'm4.9 19.1 2.9-2.9',
  'M2 12h4',
  'm4.9 4.9 2.9 2.9',
);
export const LoaderCircle = icon('M21 12a9 9 0 1 1-6.219-8.56');
export const Lock = icon({ width: 18, height: 11, x: 3, y: 11, rx: 2 }, 'M7 11V7a5 5 0 0 1 10 0v4');
export const LockOpen = icon({ width: 18, height: 11, x: 3, y: 11, rx: 2 }, 'M7 11V7a5 5 0 0 1 9.9-1');
export const Map = icon(
  'M14.106 5.553a2 2 0 0 0 1.788 0l3.659-1.83A1 1 0 0 1 21 4.619v12.764a1 1 0 0 1-.553.894l-4.553 2.277a2 2 0 0 1-1.788 0l-4.212-2.106a2 2 0 0 0-1.788 0l-3.659 1.83A1 1 0 0 1 3 19.381V6.618a1 1 0 0 1 .553-.894l4.553-2.277a2 2 0 0 1 1.788 0z',
  'M15 5.764v15',
  'M9 3.236v15',
);
export const MapPin = icon(
  'M20 10c0 4.993-5.539 10.193-7.399 11.799a1 1 0 0 1-1.202 0C9.539 20.193 4 14.993 4 10a8 8 0 0 1 16 0',
  { cx: 12, cy: 10, r: 3 },
);
export const Menu = icon('M4 5h16', 'M4 12h16', 'M4 19h16');
export const MessageSquare = icon(
  'M22 17a2 2 0 0 1-2 2H6.828a2 2 0 0 0-1.414.586l-2.202 2.202A.71.71 0 0 1 2 21.286V5a2 2 0 0 1 2-2h16a2 2 0 0 1 2 2z',
);
export const Minus = icon('M5 12h14');
export const Monitor = icon({ width: 20, height: 14, x: 2, y: 3, rx: 2 }, 'M8 21 L16 21', 'M12 17 L12 21');
export const Network = icon(
  { x: 16, y: 16, width: 6, height: 6, rx: 1 },
  { x: 2, y: 16, width: 6, height: 6, rx: 1 },
  { x: 9, y: 2, width: 6, height: 6, rx: 1 },
  'M5 16v-3a1 1 0 0 1 1-1h12a1 1 0 0 1 1 1v3',
  'M12 12V8',
);
export const Nfc = icon(
  'M6 8.32a7.43 7.43 0 0 1 0 7.36',
  'M9.46 6.21a11.76 11.76 0 0 1 0 11.58',
  'M12.91 4.1a15.91 15.91 0 0 1 .01 15.8',
  'M16.37 2a20.16 20.16 0 0 1 0 20',
);
export const Pause = icon(
  { x: 14, y: 3, width: 5, height: 18, rx: 1 },
  { x: 5, y: 3, width: 5, height: 18, rx: 1 },
);
export const Pencil = icon(
  'M21.174 6.812a1 1 0 0 0-3.986-3.987L3.842 16.174a2 2 0 0 0-.5.83l-1.321 4.352a.5.5 0 0 0 .623.622l4.353-1.32a2 2 0 0 0 .83-.497z',
  'm15 5 4 4',
);
export const Play = icon(
  'M5 5a2 2 0 0 1 3.008-1.728l11.997 6.998a2 2 0 0 1 .003 3.458l-12 7A2 2 0 0 1 5 19z',
);
export const Plug = icon(
  'M12 22v-5',
  'M15 8V2',
  'M17 8a1 1 0 0 1 1 1v4a4 4 0 0 1-4 4h-4a4 4 0 0 1-4-4V9a1 1 0 0 1 1-1z',
  'M9 8V2',
);
export const PlugZap = icon(
  'M6.3 20.3a2.4 2.4 0 0 0 3.4 0L12 18l-6-6-2.3 2.3a2.4 2.4 0 0 0 0 3.4Z',
  'm2 22 3-3',
  'M7.5 13.5 10 11',
  'M10.5 16.5 13 14',
  'm18 3-4 4h6l-4 4',
);
export const Plus = icon('M5 12h14', 'M12 5v14');
export const Printer = icon(
  'M6 18H4a2 2 0 0 1-2-2v-5a2 2 0 0 1 2-2h16a2 2 0 0 1 2 2v5a2 2 0 0 1-2 2h-2',
  'M6 9V3a1 1 0 0 1 1-1h10a1 1 0 0 1 1 1v6',
  'M7 14h10a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1H7a1 1 0 0 1-1-1v-6a1 1 0 0 1 1-1Z',
);
export const Radio = icon(
  'M16.247 7.761a6 6 0 0 1 0 8.478',
  'M19.075 4.933a10 10 0 0 1 0 14.134',
  'M4.925 19.067a10 10 0 0 1 0-14.134',
  'M7.753 16.239a6 6 0 0 1 0-8.478',
  { cx: 12, cy: 12, r: 2 },
);
export const Receipt = icon(
  'M12 17V7',
  'M16 8h-6a2 2 0 0 0 0 4h4a2 2 0 0 1 0 4H8',
  'M4 3a1 1 0 0 1 1-1 1.3 1.3 0 0 1 .7.2l.933.6a1.3 1.3 0 0 0 1.4 0l.934-.6a1.3 1.3 0 0 1 1.4 0l.933.6a1.3 1.3 0 0 0 1.4 0l.933-.6a1.3 1.3 0 0 1 1.4 0l.934.6a1.3 1.3 0 0 0 1.4 0l.933-.6A1.3 1.3 0 0 1 19 2a1 1 0 0 1 1 1v18a1 1 0 0 1-1 1 1.3 1.3 0 0 1-.7-.2l-.933-.6a1.3 1.3 0 0 0-1.4 0l-.934.6a1.3 1.3 0 0 1-1.4 0l-.933-.6a1.3 1.3 0 0 0-1.4 0l-.933.6a1.3 1.3 0 0 1-1.4 0l-.934-.6a1.3 1.3 0 0 0-1.4 0l-.933.6a1.3 1.3 0 0 1-.7.2 1 1 0 0 1-1-1z',
);
export const ReceiptText = icon(
  'M13 16H8',
  'M14 8H8',
  'M16 12H8',
  'M4 3a1 1 0 0 1 1-1 1.3 1.3 0 0 1 .7.2l.933.6a1.3 1.3 0 0 0 1.4 0l.934-.6a1.3 1.3 0 0 1 1.4 0l.933.6a1.3 1.3 0 0 0 1.4 0l.933-.6a1.3 1.3 0 0 1 1.4 0l.934.6a1.3 1.3 0 0 0 1.4 0l.933-.6A1.3 1.3 0 0 1 19 2a1 1 0 0 1 1 1v18a1 1 0 0 1-1 1 1.3 1.3 0 0 1-.7-.2l-.933-.6a1.3 1.3 0 0 0-1.4 0l-.934.6a1.3 1.3 0 0 1-1.4 0l-.933-.6a1.3 1.3 0 0 0-1.4 0l-.933.6a1.3 1.3 0 0 1-1.4 0l-.934-.6a1.3 1.3 0 0 0-1.4 0l-.933.6a1.3 1.3 0 0 1-.7.2 1 1 0 0 1-1-1z',
);
export const Redo2 = icon('m15 14 5-5-5-5', 'M20 9H9.5A5.5 5.5 0 0 0 4 14.5A5.5 5.5 0 0 0 9.5 20H13');
export const RefreshCw = icon(
  'M3 12a9 9 0 0 1 9-9 9.75 9.75 0 0 1 6.74 2.74L21 8',
  'M21 3v5h-5',
  'M21 12a9 9 0 0 1-9 9 9.75 9.75 0 0 1-6.74-2.74L3 16',
  'M8 16H3v5',
);
export const RotateCcw = icon('M3 12a9 9 0 1 0 9-9 9.75 9.75 0 0 0-6.74 2.74L3 8', 'M3 3v5h5');
export const RotateCw = icon('M21 12a9 9 0 1 1-9-9c2.52 0 4.93 1 6.74 2.74L21 8', 'M21 3v5h-5');
export const ScanEye = icon(
  'M3 7V5a2 2 0 0 1 2-2h2',
  'M17 3h2a2 2 0 0 1 2 2v2',
  'M21 17v2a2 2 0 0 1-2 2h-2',
  'M7 21H5a2 2 0 0 1-2-2v-2',
  { cx: 12, cy: 12, r: 1 },
  'M18.944 12.33a1 1 0 0 0 0-.66 7.5 7.5 0 0 0-13.888 0 1 1 0 0 0 0 .66 7.5 7.5 0 0 0 13.888 0',
);
export const ScrollText = icon(
  'M15 12h-5',
  'M15 8h-5',
  'M19 17V5a2 2 0 0 0-2-2H4',
  'M8 21h12a2 2 0 0 0 2-2v-1a1 1 0 0 0-1-1H11a1 1 0 0 0-1 1v1a2 2 0 1 1-4 0V5a2 2 0 1 0-4 0v2a1 1 0 0 0 1 1h3',
);
export const Search = icon('m21 21-4.34-4.34', { cx: 11, cy: 11, r: 8 });
export const SearchX = icon('m13.5 8.5-5 5', 'm8.5 8.5 5 5', { cx: 11, cy: 11, r: 8 }, 'm21 21-4.3-4.3');
export const Send = icon(
  'M14.536 21.686a.5.5 0 0 0 .937-.024l6.5-19a.496.496 0 0 0-.635-.635l-19 6.5a.5.5 0 0 0-.024.937l7.93 3.18a2 2 0 0 1 1.112 1.11z',
  'm21.854 2.147-10.94 10.939',
);
export const Smartphone = icon({ width: 14, height: 20, x: 5, y: 2, rx: 2 }, 'M12 18h.01');
export const Square = icon({ width: 18, height: 18, x: 3, y: 3, rx: 2 });
export const SquareTerminal = icon('m7 11 2-2-2-2', 'M11 13h4', { width: 18, height: 18, x: 3, y: 3, rx: 2 });
export const Table2 = icon('M3 9h18', 'M9 3v18', { x: 3, y: 3, width: 18, height: 18, rx: 2 });
export const Tags = icon(
  'M13.172 2a2 2 0 0 1 1.414.586l6.71 6.71a2.4 2.4 0 0 1 0 3.408l-4.592 4.592a2.4 2.4 0 0 1-3.408 0l-6.71-6.71A2 2 0 0 1 6 9.172V3a1 1 0 0 1 1-1z',
  'M2 7v6.172a2 2 0 0 0 .586 1.414l6.71 6.71a2.4 2.4 0 0 0 3.191.193',
  { cx: 10.5, cy: 6.5, r: 0.5, fill: 'currentColor' },
);
export const Ticket = icon(
  'M2 9a3 3 0 0 1 0 6v2a2 2 0 0 0 2 2h16a2 2 0 0 0 2-2v-2a3 3 0 0 1 0-6V7a2 2 0 0 0-2-2H4a2 2 0 0 0-2 2Z',
  'M13 5v2',
  'M13 17v2',
  'M13 11v2',
);
export const Trash2 = icon(
  'M10 11v6',
  'M14 11v6',
  'M19 6v14a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V6',
  'M3 6h18',
  'M8 6V4a2 2 0 0 1 2-2h4a2 2 0 0 1 2 2v2',
);
export const TrendingUp = icon('M16 7h6v6', 'm22 7-8.5 8.5-5-5L2 17');
export const TriangleAlert = icon(
  'm21.73 18-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3',
  'M12 9v4',
  'M12 17h.01',
);
export const Undo2 = icon('M9 14 4 9l5-5', 'M4 9h10.5a5.5 5.5 0 0 1 5.5 5.5a5.5 5.5 0 0 1-5.5 5.5H11');
export const Unlink = icon(
  'm18.84 12.25 1.72-1.71h-.02a5.004 5.004 0 0 0-.12-7.07 5.006 5.006 0 0 0-6.95 0l-1.72 1.71',
  'm5.17 11.75-1.71 1.71a5.004 5.004 0 0 0 .12 7.07 5.006 5.006 0 0 0 6.95 0l1.71-1.71',
  'M8 2 L8 5',
  'M2 8 L5 8',
  'M16 19 L16 22',
  'M19 16 L22 16',
);
export const Unplug = icon(
  'm19 5 3-3',
  'm2 22 3-3',
  'M6.3 20.3a2.4 2.4 0 0 0 3.4 0L12 18l-6-6-2.3 2.3a2.4 2.4 0 0 0 0 3.4Z',
  'M7.5 13.5 10 11',
  'M10.5 16.5 13 14',
  'm12 6 6 6 2.3-2.3a2.4 2.4 0 0 0 0-3.4l-2.6-2.6a2.4 2.4 0 0 0-3.4 0Z',
);
export const UserCog = icon(
  'M10 15H6a4 4 0 0 0-4 4v2',
  'm14.305 16.53.923-.382',
  'm15.228 13.852-.923-.383',
  'm16.852 12.228-.383-.923',
  'm16.852 17.772-.383.924',
  'm19.148 12.228.383-.923',
  'm19.53 18.696-.382-.924',
  'm20.772 13.852.924-.383',
  'm20.772 16.148.924.383',
  { cx: 18, cy: 15, r: 3 },
  { cx: 9, cy: 7, r: 4 },
);
export const UserPlus = icon(
  'M16 21v-2a4 4 0 0 0-4-4H6a4 4 0 0 0-4 4v2',
  { cx: 9, cy: 7, r: 4 },
  'M19 8 L19 14',
  'M22 11 L16 11',
);
export const Users = icon(
  'M16 21v-2a4 4 0 0 0-4-4H6a4 4 0 0 0-4 4v2',
  'M16 3.128a4 4 0 0 1 0 7.744',
  'M22 21v-2a4 4 0 0 0-3-3.87',
  { cx: 9, cy: 7, r: 4 },
);
export const Wallet = icon(
  'M19 7V4a1 1 0 0 0-1-1H5a2 2 0 0 0 0 4h15a1 1 0 0 1 1 1v4h-3a2 2 0 0 0 0 4h3a1 1 0 0 0 1-1v-2a1 1 0 0 0-1-1',
  'M3 5v14a2 2 0 0 0 2 2h15a1 1 0 0 0 1-1v-4',
);
export const Webhook = icon(
  'M18 16.98h-5.99c-1.1 0-1.95.94-2.48 1.9A4 4 0 0 1 2 17c.01-.7.2-1.4.57-2',
  'm6 17 3.13-5.78c.53-.97.1-2.18-.5-3.1a4 4 0 1 1 6.89-4.06',
  'm12 6 3.13 5.73C15.66 12.7 16.9 13 18 13a4 4 0 0 1 0 8',
);
export const X = icon('M18 6 6 18', 'm6 6 12 12');
export const Zap = icon(
  'M15.914 4a1.5 1.5 0 00-2.474-1.561l-9 9A1.5 1.5 0 005.5 14h4.002a.5.5 0 01.471.666L8.086 20a1.5 1.5 0 002.475 1.56l9-9A1.5 1.5 0 0018.5 10h-3.997a.5.5 0 01-.472-.667z',
);
export const ZapOff = icon(
  'M10.768 5.111 13.44 2.44a1.5 1.5 0 012.474 1.561l-1.633 4.625',
  'm18.889 13.232.672-.672A1.5 1.5 0 0018.5 10h-2.844',
  'm2 2 20 20',
  'm7.94 7.94-3.5 3.499A1.5 1.5 0 005.5 14h4.002a.5.5 0 01.471.666L8.086 20a1.5 1.5 0 002.475 1.56l5.5-5.5',
);
export const ZoomIn = icon({ cx: 11, cy: 11, r: 8 }, 'M21 21 L16.65 16.65', 'M11 8 L11 14', 'M8 11 L14 11');
export const ZoomOut = icon({ cx: 11, cy: 11, r: 8 }, 'M21 21 L16.65 16.65', 'M8 11 L14 11');
