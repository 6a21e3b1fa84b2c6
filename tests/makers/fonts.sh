#!/bin/sh
# Makes the fonts that pictures are drawn with: DejaVu Sans 2.37, cut down to the characters that names and signs need.
#   sh tests/makers/fonts.sh /usr/share/fonts/truetype/dejavu     (wants: pip install fonttools==4.68.0)
# The same files come out of the same fonts, byte for byte; the licence is taken from the font itself.
set -eu
from=$1
to=$(dirname "$0")/../tkid/render/fonts
latin=U+0020-007E,U+00A0-017F,U+018F,U+0192,U+01A0-01A1,U+01AF-01B0,U+01CD-01DC,U+0218-021B,U+0259,U+1E80-1E85,U+1E9E,U+1EA0-1EF9
marks=U+02BB-02BC,U+02C6-02DD,U+0300-030C,U+0323-0328
others=U+0370-03FF,U+0400-045F,U+0490-0493,U+04AF-04B1,U+04D8-04E9
punctuation=U+2010-2027,U+202F-203A,U+2044,U+20AC,U+2116,U+2122,U+FFFD
signs=U+2190-2199,U+21BA-21BB,U+21C4,U+21C6,U+21D0-21D4,U+2212,U+221E,U+2260-2265,U+2500-2503,U+25A0-25D7,U+25E2-25EF,U+2605-2606,U+2654-2667,U+2690-2694,U+2713-2718,U+271D,U+27F2-27F3
for font in DejaVuSans DejaVuSans-Bold; do
  python3 -m fontTools.subset "$from/$font.ttf" --output-file="$to/$font.ttf" \
    --unicodes="$latin,$marks,$others,$punctuation,$signs" --layout-features=kern,mark,mkmk,ccmp,locl \
    --no-hinting --notdef-outline --name-IDs=0,1,2,3,4,5,6,13,14 --no-recalc-timestamp --drop-tables+=FFTM,MATH,gasp,DSIG
done
python3 -c "
from fontTools.ttLib import TTFont
print(TTFont('$from/DejaVuSans.ttf')['name'].getDebugName(13).strip().replace('\r\n', '\n'))
" >"$to/LICENSE"
