"""Measures how mails are judged: `python -m tests.intent FILE.toml…` counts what is played, held and asked, and lists what is wrong."""
from __future__ import annotations
import sys, tomllib
from collections import Counter
from tkid.notation.judge import Line, judge
def main():
    count=Counter()
    for f in sys.argv[1:]:
        for m in tomllib.load(open(f,'rb'))["mail"]:
            lines=[]
            for l in m["text"].strip("\n").split("\n"):
                s=l.strip()
                if s in ("TURN","OTHER","Pass","pass","Either TURN"): lines.append(Line(s,"turn"))
                else: lines.append(Line(s))
            v=judge(lines,("Ann","Bob","Cal"),("Assemble","Negotiate"))
            two=len({l.text for l in lines if l.ordered})>1
            act="ask" if two else v.act
            count[m["expect"],m["language"],act]+=1
            if (m["expect"]=="doubt" and act=="play") or (m["expect"]=="clear" and act!="play"):
                print("##",m["expect"],m["language"],act,[ (e.kind,e.text) for e in v.evidence],repr(m["text"]) if act=="play" else "")
    for e in ("doubt","clear"):
        tot=Counter()
        for (x,l,a),n in sorted(count.items()):
            if x==e: tot[a]+=n
        print(e,dict(tot))
main()
