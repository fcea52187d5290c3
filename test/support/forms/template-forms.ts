// Fillable PDFs as an organization uploads them to replace our templates.
import { PDFDocument, PDFName, PDFString, StandardFonts } from 'pdf-lib';

/** The fields: a wide and a narrow one, a multiline one, a checkbox, a choice of two, a list, and a signature field. */
export async function templateForm(): Promise<PDFDocument> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const page = document.addPage([400, 400]);
  const font = await document.embedFont(StandardFonts.Helvetica);
  const form = document.getForm();
  page.drawText('FILED FORM 12', { x: 20, y: 370, size: 12, font });
  const text = (name: string, y: number, width: number, height = 16) => {
    const field = form.createTextField(name);
    field.addToPage(page, { x: 20, y, width, height, borderWidth: 0, font });
    return field;
  };
  text('Holder.Name', 330, 300).setFontSize(10);
  text('Number', 300, 160).setFontSize(10);
  text('Notes', 200, 300, 60).enableMultiline();
  form.createCheckBox('Sent').addToPage(page, { x: 20, y: 170, width: 10, height: 10 });
  const sort = form.createRadioGroup('Sort');
  sort.addOptionToPage('primary', page, { x: 20, y: 150, width: 10, height: 10 });
  sort.addOptionToPage('excess', page, { x: 40, y: 150, width: 10, height: 10 });
  const state = form.createDropdown('State');
  state.addOptions(['TX', 'CA']);
  state.addToPage(page, { x: 20, y: 120, width: 60, height: 16, font });
  addPlaceToSign(document);
  return document;
}

function addPlaceToSign(document: PDFDocument): void {
  const widget = document.context.obj({
    ...{ Type: 'Annot', Subtype: 'Widget', FT: 'Sig', T: PDFString.of('Signature'), Rect: [20, 20, 200, 40], F: 4 },
    P: document.getPage(0).ref,
  });
  const ref = document.context.register(widget);
  document.getPage(0).node.addAnnot(ref);
  document.getForm().acroForm.addField(ref);
}

/** The same with a dynamic form's description next to it. */
export async function dynamicForm(): Promise<Uint8Array> {
  const document = await templateForm();
  document.getForm().acroForm.dict.set(PDFName.of('XFA'), PDFString.of('<xdp/>'));
  return document.save({ updateFieldAppearances: false });
}
